// SPDX-License-Identifier: GPL-2.0-only
/*
 * graph_check [--lines] FILE: checks that the calls in a trace of --graph are properly nested.
 *
 * Reads the trace file (recorded with --no-compress) according to fargs.dat(5), and its records
 * according to uapi/fargs_record.h. Keeps a stack of calls for each task: a return must belong to
 * the call at the top. Prints a summary, and a line "bad ..." for each return that does not. Exit
 * status: 0, 1 if there are bad returns, 2 if the file is invalid. With --lines, prints the calls
 * instead, in order of time: "TASK DEPTH NAME {" and "TASK DEPTH } NAME".
 *
 * A call whose task exits never returns; it is still open when a fork record reuses the task's tid.
 * If records were lost, calls may also lack their return.
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

/* fargs.dat(5) */
#define CHUNK_MAGIC	0x326e6863u
#define CHUNK_V1_MAGIC	0x6b6e6863u	/* magic of INFO, whose header ends before raw_bytes */
#define CHUNK_V1_BYTES	32
#define CHUNK_ZSTD	1
enum { CHUNK_FUNCS = 3, CHUNK_RECORDS = 6, CHUNK_STATS = 9 };

struct chunk {
	uint32_t magic;
	uint16_t kind, flags;
	uint32_t cpu, head_crc;
	uint64_t bytes;
	uint32_t crc, raw_bytes;
	uint64_t at, first_tsc, last_tsc;
	uint32_t file, reserved;
};

struct func {
	uint64_t ip, addr;
	uint32_t name, module, btf_id, flags;
};

struct entry {
	const struct fargs_record *rec;
	uint32_t cpu;
	uint64_t order;		/* position in its CPU's ring */
};

struct frame {
	uint64_t ip, tsc;
	uint32_t preempt;
};

struct task {
	int64_t key;
	struct frame *frames;
	size_t nr, room;
};

/* nr_funcs elements of func_bytes; each begins with a struct func */
static const char *funcs;
static uint32_t func_bytes;
static const char *func_names;
static size_t nr_funcs;

static struct entry *entries;
static size_t nr_entries, room_entries;

static struct task *tasks;
static size_t nr_tasks;

static uint64_t lost, missed, rejected, produced;
static struct sums {
	uint64_t calls, returns, open, dead, unreturned, bad, moved, deepest, in_irq, nested_irq;
	uint64_t crossed;
} sums;

static bool is_lines;

static void add_records(const uint8_t *data, uint64_t bytes, uint32_t cpu)
{
	const struct fargs_record *rec;
	uint64_t at;

	for (at = 0; at < bytes; at += rec->len) {
		rec = (const void *)(data + at);
		if (bytes - at < sizeof(*rec) || rec->len < sizeof(*rec) ||
		    rec->len > bytes - at || rec->len % FARGS_RECORD_ALIGN)
			errx(2, "a record of %u bytes, %llu are left", rec->len,
			     (unsigned long long)(bytes - at));
		if (nr_entries == room_entries) {
			room_entries = room_entries ? 2 * room_entries : 65536;
			entries = realloc(entries, room_entries * sizeof(*entries));
			if (!entries)
				err(2, "records");
		}
		entries[nr_entries] = (struct entry){ rec, cpu, nr_entries };
		nr_entries++;
	}
}

static void add_stats(const uint8_t *data, uint64_t bytes)
{
	const struct fargs_cpu_stats *stats = (const void *)data;
	size_t i;

	for (i = 0; i < bytes / sizeof(*stats); i++) {
		lost += stats[i].lost;
		missed += stats[i].missed;
		rejected += stats[i].rejected;
		produced += stats[i].produced;
	}
}

static void add_funcs(const uint8_t *data)
{
	const uint32_t *head = (const void *)data;

	func_bytes = head[1];
	if (func_bytes < sizeof(struct func))
		errx(2, "functions of %u bytes", func_bytes);
	nr_funcs = head[0];
	funcs = (const char *)data + 16;
	func_names = funcs + nr_funcs * func_bytes;
}

static void read_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	const uint8_t *data;
	uint64_t at;

	if (fd < 0 || fstat(fd, &st))
		err(2, "%s", path);
	data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		err(2, "%s", path);
	for (at = sizeof(Elf64_Ehdr); at + sizeof(struct chunk) <= (uint64_t)st.st_size;) {
		const struct chunk *c = (const void *)(data + at);

		if (c->magic == CHUNK_V1_MAGIC) {
			at += CHUNK_V1_BYTES + ((c->bytes + 7) & ~7ull);
			continue;
		}
		if (c->magic != CHUNK_MAGIC)
			break;
		if (c->flags & CHUNK_ZSTD || c->bytes > st.st_size - at - sizeof(*c))
			errx(2, "chunk of kind %u: flags %#x, %llu bytes; of --no-compress?",
			     c->kind, c->flags, (unsigned long long)c->bytes);
		at += sizeof(*c);
		if (c->kind == CHUNK_RECORDS)
			add_records(data + at, c->bytes, c->cpu);
		else if (c->kind == CHUNK_STATS)
			add_stats(data + at, c->bytes);
		else if (c->kind == CHUNK_FUNCS)
			add_funcs(data + at);
		at += (c->bytes + 7) & ~7ull;
	}
	if (!produced || !nr_funcs || !nr_entries)
		errx(2, "%s: no records, or no functions, or no counts", path);
}

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->rec->tsc != y->rec->tsc)
		return x->rec->tsc < y->rec->tsc ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static const char *name_of(uint64_t ip)
{
	size_t i;

	for (i = 0; i < nr_funcs; i++) {
		const struct func *func = (const void *)(funcs + i * func_bytes);

		if (func->ip == ip)
			return func_names + func->name;
	}
	return "?";
}

static struct task *get_task(int64_t key)
{
	size_t i;

	for (i = 0; i < nr_tasks; i++)
		if (tasks[i].key == key)
			return &tasks[i];
	tasks = realloc(tasks, (nr_tasks + 1) * sizeof(*tasks));
	if (!tasks)
		err(2, "tasks");
	tasks[nr_tasks] = (struct task){ .key = key };
	return &tasks[nr_tasks++];
}

static struct task *task_of(const struct entry *e)
{
	static size_t last;
	/* Each CPU has its own idle task; all of them have tid 0. */
	int64_t key = e->rec->tid ? e->rec->tid : -1 - (int64_t)e->cpu;

	if (last >= nr_tasks || tasks[last].key != key)
		last = get_task(key) - tasks;
	return &tasks[last];
}

/* Sets *@value to the first value of a record. Returns false if it is not called @name. */
static bool first_u64(const struct fargs_record *rec, const char *name, uint64_t *value)
{
	const uint8_t *body = (const uint8_t *)(rec + 1);
	size_t len = strlen(name) + 1;

	if (rec->len < sizeof(*rec) + len + 1 + 8 || memcmp(body, name, len))
		return false;
	memcpy(value, body + len + 1, 8);
	return true;
}

static bool is_irq(uint32_t preempt)
{
	return preempt & (FARGS_PREEMPT_HARDIRQ | FARGS_PREEMPT_NMI);
}

static void push(struct task *task, const struct fargs_record *rec)
{
	if (task->nr == task->room) {
		task->room = task->room ? 2 * task->room : 64;
		task->frames = realloc(task->frames, task->room * sizeof(*task->frames));
		if (!task->frames)
			err(2, "frames");
	}
	if (is_lines)
		printf("%lld %zu %s {\n", (long long)task->key, task->nr, name_of(rec->ip));
	if (is_irq(rec->preempt)) {
		sums.in_irq++;
		if (task->nr && !is_irq(task->frames[task->nr - 1].preempt))
			sums.nested_irq++;
	}
	task->frames[task->nr++] = (struct frame){ rec->ip, rec->tsc, rec->preempt };
	if (task->nr > sums.deepest)
		sums.deepest = task->nr;
}

static void report_bad(const struct task *task, const struct entry *e, const char *what)
{
	if (sums.bad++ < 40 && !is_lines)
		printf("bad: task %lld on CPU %u: %s of %s, %zu deep, inside %s\n",
		       (long long)task->key, e->cpu, what, name_of(e->rec->ip), task->nr,
		       task->nr ? name_of(task->frames[task->nr - 1].ip) : "nothing");
}

/*
 * A thread that execs gets the tid of its thread group leader. The EXEC record is written at the
 * end of exec; the first return with the new tid moves the frames of the outer calls. The leader
 * has the thread's old tid from then on, until it has ended: its frames, which are inside those of
 * the thread, stay.
 */
static bool move_frames(struct task *to, uint64_t ip, uint64_t tsc)
{
	size_t i, nr, j;

	for (i = 0; i < nr_tasks; i++) {
		struct task *from = &tasks[i], was = *to;

		for (nr = from->nr; nr; nr--)
			if (from->frames[nr - 1].ip == ip && from->frames[nr - 1].tsc == tsc)
				break;
		if (!nr)
			continue;
		sums.dead += to->nr;
		sums.moved++;
		to->frames = from->frames;
		to->nr = nr;
		to->room = from->room;
		from->frames = was.frames;
		from->room = was.room;
		from->nr -= nr;
		if (from->room < from->nr) {
			from->room = from->nr;
			from->frames = realloc(from->frames, from->room * sizeof(*from->frames));
			if (!from->frames)
				err(2, "frames");
		}
		for (j = 0; j < from->nr; j++)
			from->frames[j] = to->frames[nr + j];
		return true;
	}
	return false;
}

static void pop(struct task *task, const struct entry *e)
{
	const uint32_t contexts = FARGS_PREEMPT_HARDIRQ | FARGS_PREEMPT_NMI;
	const struct fargs_record *rec = e->rec;
	const struct frame *top;
	uint64_t tsc;
	size_t i;

	if (!first_u64(rec, FARGS_NAME_ENTRY, &tsc)) {
		report_bad(task, e, "a return without its call's time");
		return;
	}
	for (i = task->nr; i > 0; i--)
		if (task->frames[i - 1].ip == rec->ip && task->frames[i - 1].tsc == tsc)
			break;
	if (!i && move_frames(task, rec->ip, tsc))
		i = task->nr;
	if (!i) {
		report_bad(task, e, "a return without its call");
		return;
	}
	if (i < task->nr) {
		sums.unreturned += task->nr - i;
		if (!lost)
			report_bad(task, e, "a return out of order");
	}
	top = &task->frames[i - 1];
	if ((top->preempt ^ rec->preempt) & contexts) {
		sums.crossed++;
		if (!is_lines)
			printf("crossed: %s: %#x, then %#x\n", name_of(rec->ip),
			       top->preempt & contexts, rec->preempt & contexts);
	}
	task->nr = i - 1;
	if (is_lines)
		printf("%lld %zu } %s\n", (long long)task->key, task->nr, name_of(rec->ip));
}

static void take_task(const struct entry *e)
{
	uint64_t number;
	struct task *task;

	if (!first_u64(e->rec, "fork", &number))
		return;
	task = get_task((int32_t)number);
	sums.dead += task->nr;
	task->nr = 0;
}

int main(int argc, char **argv)
{
	size_t i;

	is_lines = argc == 3 && !strcmp(argv[1], "--lines");
	if (argc != 2 + is_lines)
		errx(2, "usage: graph_check [--lines] FILE");
	read_file(argv[argc - 1]);
	qsort(entries, nr_entries, sizeof(*entries), compare);
	for (i = 0; i < nr_entries; i++) {
		const struct entry *e = &entries[i];

		if (e->rec->kind == FARGS_KIND_ENTRY) {
			sums.calls++;
			push(task_of(e), e->rec);
		} else if (e->rec->kind == FARGS_KIND_RETURN) {
			sums.returns++;
			pop(task_of(e), e);
		} else if (e->rec->kind == FARGS_KIND_TASK) {
			take_task(e);
		}
	}
	for (i = 0; i < nr_tasks; i++)
		sums.open += tasks[i].nr;
	if (is_lines)
		return 0;
	printf("functions %zu calls %llu returns %llu open %llu dead %llu unreturned %llu "
	       "lost %llu missed %llu deepest %llu in_irq %llu nested_irq %llu crossed %llu "
	       "moved %llu bad %llu\n",
	       nr_funcs, (unsigned long long)sums.calls, (unsigned long long)sums.returns,
	       (unsigned long long)sums.open, (unsigned long long)sums.dead,
	       (unsigned long long)sums.unreturned, (unsigned long long)lost,
	       (unsigned long long)missed, (unsigned long long)sums.deepest,
	       (unsigned long long)sums.in_irq, (unsigned long long)sums.nested_irq,
	       (unsigned long long)sums.crossed, (unsigned long long)sums.moved,
	       (unsigned long long)sums.bad);
	return sums.bad != 0;
}
