// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that every call on each CPU is accounted for when far more calls are made than fit in the
 * rings.
 *
 *	abi_loss [--part N] [--seconds N]
 *
 * Every Nth function (default 16) is traced (1: all functions), for N seconds (default 5). In every
 * third function, calls by tasks with odd tids are rejected.
 *
 * The module's count of produced records is checked independently: samples/target/witness.c counts
 * calls of the same functions with its own ftrace_ops. Between any two of its marks, both must have
 * counted the same number of calls. The reader records which sequence numbers it has seen, and sums
 * up LOST records: all numbers that it has not seen must have been lost or rejected.
 */
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/functions.h"
#include "lib/progs.h"
#include "lib/witness.h"

#define RING_BYTES	(64u << 10)
#define CPUS_MAX	64
#define LOADS		2	/* number of processes per CPU that make calls */
#define BATCH_LAYOUTS	8192
#define OVERFLOW_FUNCTION	"fargs_t_4"

struct function {
	uint64_t ip;
	bool has_predicate;
};

/* State of reading one CPU's ring. */
struct book {
	const struct fargs_ring_head *head;
	const uint8_t *data;
	struct fargs_ring_tail *tail;

	uint8_t *seen;		/* bitmap of the sequence numbers seen */
	uint64_t seen_bytes;
	uint64_t kept, lost, twice, backwards, corrupt, wrong, bytes;
	uint64_t last_tsc, seq_end;

	/* number of the last mark if its record was not read yet; 0: none */
	uint64_t wanted_mark;
	uint64_t mark_count;	/* the witness' count of calls at that mark */
	uint64_t nr_marks;	/* number of marks whose record was read */
	/* sequence number and witness' count at the first mark */
	uint64_t first_seq, first_count;
	uint64_t last_seq;
	uint64_t differing;
	int64_t difference;	/* difference of the two counts at the last mark that differed */
};

static struct book books[CPUS_MAX];
static struct fargs_info info;
static struct function *functions;	/* sorted by ip */
static uint32_t nr_functions;
static uint64_t mark_ip;
static int session, witness;

static int compare_functions(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

/* Makes a layout with one value, the first argument, and with @has_predicate also a predicate. */
static uint32_t pack_layout(uint8_t *to, uint64_t addr, bool has_predicate)
{
	static const struct fargs_insn is_even[] = {
		CTX(0, TID), ALU(AND, 0, 1), JIF(0, EQ, 0, 1), REJECT, ACCEPT,
	};
	static struct progs p;

	progs_begin(&p, addr);
	piece_reg(&p.piece, "a", FARGS_TYPE_U64, 0);
	piece_end(&p.piece);
	if (has_predicate)
		progs_add(&p, FARGS_PROG_ENTRY_PREDICATE, is_even, COUNT(is_even));
	return progs_pack(&p, to);
}

static bool has_predicate(uint32_t i)
{
	return i % 3 == 0;
}

/* Adds @nr functions. Appends those that the module accepts to @functions. */
static void add_batch(const uint64_t *addrs, uint32_t nr, bool is_plain)
{
	uint8_t *packed = malloc(nr * sizeof(struct progs)), *at = packed;
	struct fargs_add add = {
		.layouts = (uintptr_t)packed, .nr = nr, .flags = FARGS_ADD_SKIP,
	};
	uint32_t i;

	must(packed ? 0 : -ENOMEM, "ADD");
	for (i = 0; i < nr; i++)
		at += pack_layout(at, addrs[i], !is_plain && has_predicate(i));
	add.bytes = at - packed;
	must(call(session, FARGS_IOC_ADD, &add), "ADD");
	for (at = packed, i = 0; i < nr; i++) {
		const struct fargs_layout *layout = (const void *)at;

		if (!layout->status)
			functions[nr_functions++] = (struct function){
				layout->ip, !is_plain && has_predicate(i),
			};
		at += layout->size;
	}
	free(packed);
}

static void add_functions(uint32_t part)
{
	uint64_t mark = symbol_address("fargs_w_mark");
	uint64_t called = symbol_address(OVERFLOW_FUNCTION);
	struct functions all;
	uint32_t i, nr = 0;

	must(mark ? 0 : -ENOENT, "fargs_w_mark");
	functions_find(&all);
	functions = malloc((all.nr + 1) * sizeof(*functions));
	must(functions ? 0 : -ENOMEM, "the list of functions");
	add_batch(&mark, 1, true);
	must(nr_functions ? 0 : -ENOENT, "fargs_w_mark");
	mark_ip = functions[0].ip;
	/*
	 * OVERFLOW_FUNCTION is always traced. If it is also one of the functions added below, ADD
	 * skips its second layout.
	 */
	must(called ? 0 : -ENOENT, OVERFLOW_FUNCTION);
	add_batch(&called, 1, true);
	for (i = part / 2; i < all.nr; i += part)
		all.addrs[nr++] = all.addrs[i];
	for (i = 0; i < nr; i += BATCH_LAYOUTS)
		add_batch(all.addrs + i, nr - i < BATCH_LAYOUTS ? nr - i : BATCH_LAYOUTS, false);
	free(all.addrs);
	qsort(functions, nr_functions, sizeof(*functions), compare_functions);
}

static void map_rings(void)
{
	size_t page = info.page_size;
	unsigned int cpu;

	must(info.nr_cpus <= CPUS_MAX ? 0 : -E2BIG, "CPUs");
	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		void *data = mmap(NULL, page + 2 * RING_BYTES, PROT_READ, MAP_SHARED, session,
				  FARGS_MMAP_DATA(cpu));
		void *tail = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, session,
				  FARGS_MMAP_TAIL(cpu));

		must(data == MAP_FAILED || tail == MAP_FAILED ? -errno : 0, "mmap");
		books[cpu].head = data;
		books[cpu].data = (uint8_t *)data + page;
		books[cpu].tail = tail;
	}
}

static void begin_witness(void)
{
	uint64_t *ips = malloc(nr_functions * sizeof(*ips));
	uint32_t i;

	must(ips ? 0 : -ENOMEM, WITNESS_PROC);
	for (i = 0; i < nr_functions; i++)
		ips[i] = functions[i].ip;
	witness_begin(witness, ips, nr_functions);
	free(ips);
}

/* Marks the sequence number @seq as seen. */
static void see(struct book *book, uint64_t seq)
{
	uint64_t bytes = book->seen_bytes;

	if (seq >= bytes * 8) {
		/* A corrupt sequence number must not make the bitmap exhaust memory. */
		if (seq > book->seq_end + (1ull << 32)) {
			book->corrupt++;
			return;
		}
		bytes = (seq / 8 + 1) * 2;
		book->seen = realloc(book->seen, bytes);
		must(book->seen ? 0 : -ENOMEM, "the book");
		memset(book->seen + book->seen_bytes, 0, bytes - book->seen_bytes);
		book->seen_bytes = bytes;
	}
	book->twice += book->seen[seq / 8] >> seq % 8 & 1;
	book->seen[seq / 8] |= 1 << seq % 8;
	book->kept++;
	if (seq >= book->seq_end)
		book->seq_end = seq + 1;
}

/* Compares the two counts of calls since the first mark. */
static void see_mark(struct book *book, uint64_t seq)
{
	/* The witness' count includes the call that makes the mark, but @seq does not count it. */
	int64_t difference = (int64_t)((seq - book->first_seq) -
				       (book->mark_count - book->first_count));

	if (!book->nr_marks++) {
		book->first_seq = seq;
		book->first_count = book->mark_count;
	} else if (difference != book->difference) {
		book->differing++;
		book->difference = difference;
	}
	book->last_seq = seq;
	book->wanted_mark = 0;
}

/*
 * Returns whether the body has the right length, and consists of the value "a" of type U64 and the
 * end.
 */
static bool is_entry_right(const struct fargs_record *rec)
{
	static const char begin[] = { 'a', 0, FARGS_TYPE_U64 };
	const uint8_t *body = (const uint8_t *)(rec + 1);

	return rec->len == sizeof(*rec) + 16 && !memcmp(body, begin, sizeof(begin)) &&
	       !body[sizeof(begin) + 8] && !body[sizeof(begin) + 9];
}

static void see_entry(struct book *book, const struct fargs_record *rec)
{
	const struct function key = { .ip = rec->ip };
	const struct function *function = bsearch(&key, functions, nr_functions, sizeof(key),
						  compare_functions);
	uint64_t nr;

	if (!function || !is_entry_right(rec)) {
		book->corrupt++;
		return;
	}
	/* The predicate should have rejected this call. */
	if (function->has_predicate && rec->tid % 2)
		book->wrong++;
	see(book, rec->seq);
	memcpy(&nr, (const uint8_t *)(rec + 1) + 3, sizeof(nr));
	if (rec->ip == mark_ip && book->wanted_mark && nr == book->wanted_mark)
		see_mark(book, rec->seq);
}

/*
 * Processes a record. Returns false if the record is malformed, so that the next one cannot be
 * found.
 */
static bool see_record(struct book *book, const struct fargs_record *rec, uint64_t bytes)
{
	static const char lost[] = { 'l', 'o', 's', 't', 0, FARGS_TYPE_U64 };
	uint64_t nr;

	if (rec->len < sizeof(*rec) + 8 || rec->len % FARGS_RECORD_ALIGN ||
	    rec->len > FARGS_RECORD_MAX || rec->len > bytes) {
		book->corrupt++;
		return false;
	}
	book->backwards += rec->tsc < book->last_tsc;
	book->last_tsc = rec->tsc;
	if (rec->kind == FARGS_KIND_ENTRY) {
		see_entry(book, rec);
	} else if (rec->kind == FARGS_KIND_LOST && !memcmp(rec + 1, lost, sizeof(lost))) {
		memcpy(&nr, (const uint8_t *)(rec + 1) + sizeof(lost), sizeof(nr));
		book->lost += nr;
	} else if (rec->kind != FARGS_KIND_TASK) {
		book->corrupt++;
	}
	return true;
}

static void drain(struct book *book)
{
	uint64_t head = __atomic_load_n(&book->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = book->tail->data_tail;

	book->bytes += head - tail;
	if (head - tail > RING_BYTES) {
		book->corrupt++;
		return;
	}
	while (tail != head) {
		const struct fargs_record *rec =
			(const void *)(book->data + (tail & (RING_BYTES - 1)));

		if (!see_record(book, rec, head - tail))
			return;
		tail += rec->len;
	}
	__atomic_store_n(&book->tail->data_tail, tail, __ATOMIC_RELEASE);
}

/* Moves this task to @cpu. Returns false if the CPU is offline. */
static bool go_to(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

/* Makes a mark on the CPU of @book. The mark's record may be lost like any other. */
static void make_mark(struct book *book)
{
	struct mark mark = witness_mark(witness);

	must(&books[mark.cpu] == book ? 0 : -EXDEV, WITNESS_PROC);
	book->wanted_mark = mark.nr;
	book->mark_count = mark.count;
}

/* Reads each CPU's ring, and makes a mark on that CPU. */
static void read_all(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		if (!go_to(cpu))
			continue;
		drain(&books[cpu]);
		make_mark(&books[cpu]);
	}
}

/* Reads each CPU's ring until it contains a new mark. A drained ring has room for a mark. */
static void read_until_marked(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		uint64_t nr = books[cpu].nr_marks;

		if (!go_to(cpu))
			continue;
		while (books[cpu].nr_marks == nr && !books[cpu].corrupt) {
			drain(&books[cpu]);
			if (books[cpu].nr_marks != nr)
				break;
			make_mark(&books[cpu]);
			drain(&books[cpu]);
		}
	}
}

/* Makes calls on one CPU until this process is killed. */
static void load(unsigned int cpu, unsigned int nr)
{
	char byte[64];
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!go_to(cpu))
		_exit(0);
	for (;;) {
		/*
		 * The command "loop" makes calls in threads, hard interrupts and soft interrupts.
		 */
		if (nr % LOADS && target_call("loop fargs_t_4 500 2"))
			_exit(1);
		fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
		while (read(fd, byte, sizeof(byte)) > 0)
			;
		close(fd);
	}
}

static void run_loads(unsigned int seconds, pid_t *pids, unsigned int *nr)
{
	struct timespec now, end;
	unsigned int i;

	for (*nr = 0; *nr < LOADS * info.nr_cpus; ++*nr) {
		pids[*nr] = fork();
		must(pids[*nr] < 0 ? -errno : 0, "fork");
		if (!pids[*nr])
			load(*nr / LOADS, *nr);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	do {
		read_all();
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < end.tv_sec);
	for (i = 0; i < *nr; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < *nr; i++)
		waitpid(pids[i], NULL, 0);
}

/* Makes more calls than fit in the rings, without reading them. */
static void overflow(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		if (go_to(cpu))
			must(target_call(OVERFLOW_FUNCTION " 20000"), TARGET_PROC);
	}
}

static void check_cpu(unsigned int cpu, const struct fargs_cpu_stats *stats)
{
	const struct book *book = &books[cpu];

	ktap_note("CPU %u: produced %llu: kept %llu + lost %llu + rejected %llu", cpu,
		  stats->produced, (unsigned long long)book->kept, stats->lost, stats->rejected);
	ktap_note("CPU %u: %llu marks, the last at number %llu; %llu bytes", cpu,
		  (unsigned long long)book->nr_marks, (unsigned long long)book->last_seq,
		  (unsigned long long)book->bytes);
	if (book->corrupt || book->twice || book->backwards || book->wrong || book->differing)
		ktap_note("CPU %u: %llu corrupt, %llu twice, %llu back in time, %llu wrongly not "
			  "rejected, %llu marks differ, by %lld", cpu,
			  (unsigned long long)book->corrupt, (unsigned long long)book->twice,
			  (unsigned long long)book->backwards, (unsigned long long)book->wrong,
			  (unsigned long long)book->differing, (long long)book->difference);
	ktap_ok(!book->corrupt && !book->wrong, "CPU %u: every record is valid", cpu);
	ktap_ok(!book->backwards, "CPU %u: records are in order of time", cpu);
	ktap_ok(!book->differing,
		"CPU %u: as many calls were produced as the witness counted", cpu);
	/*
	 * No sequence number occurs twice, so the number of unseen sequence numbers is right as
	 * well.
	 */
	ktap_ok(!book->twice && book->seq_end <= stats->produced &&
		book->kept + stats->lost + stats->rejected == stats->produced,
		"CPU %u: kept + lost + rejected records are those produced", cpu);
	ktap_ok(book->lost + stats->lost_pending == stats->lost,
		"CPU %u: LOST records add up to the number of lost records", cpu);
}

static void check_all(void)
{
	static struct fargs_cpu_stats cpus[CPUS_MAX];
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = CPUS_MAX };
	uint64_t marks = UINT64_MAX, lost = UINT64_MAX, rejected = 0, kept = 0, produced = 0;
	unsigned int cpu;

	must(call(session, FARGS_IOC_STATS, &stats), "STATS");
	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		if (!go_to(cpu))
			continue;
		check_cpu(cpu, &cpus[cpu]);
		marks = books[cpu].nr_marks < marks ? books[cpu].nr_marks : marks;
		lost = cpus[cpu].lost < lost ? cpus[cpu].lost : lost;
		rejected += cpus[cpu].rejected;
		kept += books[cpu].kept;
		produced += cpus[cpu].produced;
	}
	ktap_note("%llu calls, %llu records", (unsigned long long)produced,
		  (unsigned long long)kept);
	ktap_ok(marks >= 2 && lost && rejected,
		"each CPU had marks and lost calls, and calls were rejected");
}

int main(int argc, char **argv)
{
	unsigned int part = 16, seconds = 5, nr = 0;
	pid_t pids[LOADS * CPUS_MAX];

	for (; argc > 2; argc -= 2, argv += 2) {
		if (!strcmp(argv[1], "--part"))
			part = atoi(argv[2]);
		else if (!strcmp(argv[1], "--seconds"))
			seconds = atoi(argv[2]);
	}
	if (argc != 1 || !part) {
		fprintf(stderr, "usage: abi_loss [--part N] [--seconds N]\n");
		return 2;
	}
	ktap_begin("abi_loss");
	need_session_test();
	witness = open(WITNESS_PROC, O_RDWR | O_CLOEXEC);
	if (witness < 0)
		ktap_skip_all("there is no " WITNESS_PROC);
	session = session_open(RING_BYTES);
	must(call(session, FARGS_IOC_INFO, &info), "INFO");
	map_rings();
	add_functions(part);
	ktap_note("%u functions", nr_functions);
	must(session_start(session), "START");
	begin_witness();
	ktap_note("started");
	read_until_marked();
	run_loads(seconds, pids, &nr);
	overflow();
	read_until_marked();
	must(session_stop(session), "STOP");
	for (unsigned int cpu = 0; cpu < info.nr_cpus; cpu++)
		drain(&books[cpu]);
	check_all();
	close(witness);
	close(session);
	return ktap_end();
}
