// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests overwrite mode: FARGS_MODE_OVERWRITE and FARGS_IOC_FREEZE, as described in
 * include/uapi/fargs_ring.h and fargs.h.
 *
 * Rings have the minimum size, and some records the maximum size: while a task's record is being
 * written, a few calls in an interrupt wrap the ring. All records that can then be read must be
 * complete and in order.
 *
 *	abi_over [--bytes N]	long test: N bytes are written to the rings
 */
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/session.h"

#define RING_BYTES	(16u << 10)
#define SNAPSHOTS	200

struct ring {
	const uint8_t *map;	/* the head page, then the data mapped twice */
	const struct fargs_ring_head *head;
	const uint8_t *data;
};

/* A copy of the data of a frozen ring. */
struct snapshot {
	uint64_t start, head;
	uint64_t nr, lost_reported;
	uint64_t first_seq, last_seq;
	uint8_t data[RING_BYTES];
};

static struct fargs_info info;
static uint32_t page;
static struct ring *rings;
static int session;
static uint64_t wanted_bytes;

static struct {
	uint64_t small, large;		/* addresses of fargs_t_4 and fargs_t_int */
	uint32_t large_bytes;
} target;

static void session_make(void)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES, .mode = FARGS_MODE_OVERWRITE };
	unsigned int cpu;
	void *map;

	session = device_open();
	must(session < 0 ? -errno : 0, "open " FARGS_DEVICE);
	must(call(session, FARGS_IOC_BUFFER, &buffer), "BUFFER");
	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		map = mmap(NULL, page + 2 * RING_BYTES, PROT_READ, MAP_SHARED, session,
			   FARGS_MMAP_DATA(cpu));
		must(map == MAP_FAILED ? -errno : 0, "mmap");
		rings[cpu] = (struct ring){ map, map, (uint8_t *)map + page };
	}
}

static void session_end(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < info.nr_cpus; cpu++)
		munmap((void *)rings[cpu].map, page + 2 * RING_BYTES);
	close(session);
}

/* Adds fargs_t_4, with a short record, and fargs_t_int, with the longest possible record. */
static void add_functions(void)
{
	struct piece piece;
	char name[100];

	piece_target_4(&piece, target.small);
	must(piece_add(session, &piece), "ADD");
	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = 0;
	memset(&piece, 0, sizeof(piece));
	piece.layout.addr = target.large;
	piece_reg(&piece, "a", FARGS_TYPE_S32, 0);
	while (piece.body_len < target.large_bytes - sizeof(struct fargs_record) - 128)
		piece_value(&piece, name, FARGS_TYPE_S32, 8);
	piece_end(&piece);
	must(piece_add(session, &piece), "ADD");
}

static int freeze(uint32_t is_frozen)
{
	struct fargs_freeze f = { .is_frozen = is_frozen };

	return call(session, FARGS_IOC_FREEZE, &f);
}

/* Returns whether a record has the values with which samples/target makes its calls. */
static bool is_right(const struct fargs_record *rec)
{
	const uint64_t obj = 0xffff888012345678ull, flags = 4096;
	const uint8_t *body = (const uint8_t *)(rec + 1);
	int32_t a;

	if (rec->kind == FARGS_KIND_TASK || rec->kind == FARGS_KIND_LOST)
		return true;
	if (rec->kind != FARGS_KIND_ENTRY)
		return false;
	if (rec->ip >= target.small && rec->ip < target.small + 32)
		return !memcmp(body, "obj", 4) && !memcmp(body + 5, &obj, 8) &&
		       !memcmp(body + 5 + 8 + 6 + 8 + 7, &flags, 8);
	if (rec->ip >= target.large && rec->ip < target.large + 32)
		return !memcmp(body, "a", 2) && (memcpy(&a, body + 3, 4), a == -100 || a == 100);
	return false;
}

static const char *walk_one(struct snapshot *s, const struct fargs_record *rec, uint64_t *tsc)
{
	if (rec->len < sizeof(*rec) || rec->len % FARGS_RECORD_ALIGN ||
	    rec->len > FARGS_RECORD_MAX)
		return "a record's length";
	if (!is_right(rec))
		return "a record's values";
	if (rec->tsc < *tsc)
		return "the order of time";
	*tsc = rec->tsc;
	if (rec->kind == FARGS_KIND_LOST) {
		uint64_t lost;

		memcpy(&lost, (const uint8_t *)(rec + 1) + 6, sizeof(lost));
		s->lost_reported += lost;
	} else if (rec->kind == FARGS_KIND_ENTRY) {
		if (!s->nr++)
			s->first_seq = rec->seq;
		s->first_seq = rec->seq < s->first_seq ? rec->seq : s->first_seq;
		s->last_seq = rec->seq > s->last_seq ? rec->seq : s->last_seq;
	}
	return NULL;
}

/* Copies a ring to @s, and checks all its readable records. Returns what is wrong, or NULL. */
static const char *walk(struct snapshot *s, const struct ring *ring)
{
	const uint32_t sub = ring->head->sub_bytes;
	uint64_t pos, tsc = 0;
	const char *wrong;

	memset(s, 0, offsetof(struct snapshot, data));
	s->start = ring->head->data_start;
	s->head = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
	memcpy(s->data, ring->data, RING_BYTES);
	if (s->start % sub || s->start > s->head || s->head - s->start > RING_BYTES)
		return "where the data begins";
	for (pos = s->start; pos < s->head; ) {
		const struct fargs_record *rec = (const void *)(s->data + pos % RING_BYTES);

		if (!rec->len) {
			pos += sub - pos % sub;
			continue;
		}
		wrong = walk_one(s, rec, &tsc);
		if (wrong)
			return wrong;
		if (pos % sub + rec->len > sub)
			return "a record across sub-buffers";
		pos += rec->len;
	}
	return pos == s->head || pos == s->head + sub - s->head % sub ? NULL : "where it ends";
}

static struct fargs_cpu_stats stats_of(unsigned int cpu)
{
	struct fargs_cpu_stats *cpus = calloc(info.nr_cpus, sizeof(*cpus));
	struct fargs_stats stats = { .cpus = (uintptr_t)cpus, .nr_cpus = info.nr_cpus };
	struct fargs_cpu_stats one;

	must(call(session, FARGS_IOC_STATS, &stats), "STATS");
	one = cpus[cpu];
	free(cpus);
	return one;
}

static void test_arguments(void)
{
	struct fargs_buffer buffer = { .bytes = RING_BYTES, .mode = FARGS_MODE_OVERWRITE,
				       .watermark = 4096 };
	struct fargs_freeze odd = { .is_frozen = 2 };
	struct fargs_freeze reserved = { .reserved = 1 };
	int fd = device_open();

	ktap_ok(call(fd, FARGS_IOC_BUFFER, &buffer) == -EINVAL &&
		last_error.field == offsetof(struct fargs_buffer, watermark),
		"a watermark is refused in overwrite mode");
	close(fd);
	session_make();
	ktap_ok(rings[0].head->sub_bytes && !(rings[0].head->sub_bytes &
					      (rings[0].head->sub_bytes - 1)) &&
		rings[0].head->sub_bytes >= FARGS_RECORD_MAX &&
		RING_BYTES / rings[0].head->sub_bytes >= 2,
		"a new ring's sub-buffers have a valid size");
	ktap_ok(freeze(1) == -EINVAL, "a session that is not running cannot be frozen");
	add_functions();
	must(session_start(session), "START");
	ktap_ok(call(session, FARGS_IOC_FREEZE, &odd) == -EINVAL &&
		last_error.field == offsetof(struct fargs_freeze, is_frozen) &&
		call(session, FARGS_IOC_FREEZE, &reserved) == -EINVAL &&
		last_error.field == offsetof(struct fargs_freeze, reserved),
		"FREEZE: unknown and reserved values are refused");
	session_end();

	fd = session_open(RING_BYTES);
	ktap_ok(call(fd, FARGS_IOC_FREEZE, &(struct fargs_freeze){ .is_frozen = 1 }) == -EINVAL,
		"a ring that drops cannot be frozen");
	close(fd);
}

/*
 * Tests that the newest records are kept. This task makes all calls on this CPU, so sequence
 * numbers have no gaps.
 */
static void test_newest(void)
{
	static struct snapshot s;
	const unsigned int cpu = sched_getcpu();
	const uint32_t sub = rings ? 4096 : 0;
	struct fargs_cpu_stats stats;
	const char *wrong;

	session_make();
	add_functions();
	must(session_start(session), "START");
	must(target_call("fargs_t_4 10"), TARGET_PROC);
	must(freeze(1), "FREEZE");
	wrong = walk(&s, &rings[cpu]);
	ktap_ok(!wrong && s.nr == 10 && !s.first_seq && !s.start,
		"before the ring wraps, all records are kept: %s", wrong ? wrong : "");
	must(target_call("fargs_t_4 5"), TARGET_PROC);
	wrong = walk(&s, &rings[cpu]);
	ktap_ok(!wrong && s.nr == 10, "no record is added to a frozen ring");
	must(freeze(0), "thaw");
	must(target_call("fargs_t_4 1"), TARGET_PROC);
	must(freeze(1), "FREEZE");
	wrong = walk(&s, &rings[cpu]);
	ktap_ok(!wrong && s.nr == 11 && s.last_seq == 15 && s.lost_reported == 5,
		"a thawed ring continues, and reports the losses meanwhile");
	must(freeze(0), "thaw");
	must(target_call("fargs_t_4 5000"), TARGET_PROC);
	must(target_call("fargs_t_int 7"), TARGET_PROC);
	must(target_call("fargs_t_4 3"), TARGET_PROC);
	must(session_stop(session), "STOP");
	stats = stats_of(cpu);
	wrong = walk(&s, &rings[cpu]);
	ktap_ok(!wrong && stats.produced == 5033 && stats.lost == 5 &&
		s.last_seq == stats.produced - 1 && s.nr == s.last_seq - s.first_seq + 1,
		"the newest calls are kept, without gaps: %s", wrong ? wrong : "");
	ktap_ok(s.head - s.start > RING_BYTES - sub && s.head - s.start <= RING_BYTES,
		"records fill the ring except for part of a sub-buffer");
	must(session_start(session), "START");
	must(target_call("fargs_t_4 2"), TARGET_PROC);
	must(session_stop(session), "STOP");
	wrong = walk(&s, &rings[cpu]);
	ktap_ok(!wrong && s.last_seq == 5034,
		"after a second START the ring continues after its records");
	session_end();
}

static pid_t start_calls(const char *command)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;) {
		if (target_call(command))
			_exit(1);
	}
}

static void stop_calls(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* Returns whether the part of the ring that two snapshots have in common is the same in both. */
static bool is_same(const struct snapshot *old, const struct snapshot *new)
{
	uint64_t pos;

	for (pos = new->start; pos < old->head; pos++) {
		if (old->data[pos % RING_BYTES] != new->data[pos % RING_BYTES])
			return false;
	}
	return true;
}

static void note_wrong(unsigned int cpu, const struct snapshot *s, const char *wrong)
{
	printf("# CPU %u, [%llu, %llu), %llu records: %s\n", cpu, (unsigned long long)s->start,
	       (unsigned long long)s->head, (unsigned long long)s->nr, wrong);
}

/*
 * Tests rings that wrap continuously, with calls in threads, soft interrupts and hard interrupts on
 * all CPUs.
 */
static void test_storm(void)
{
	unsigned int cpu, i, nr_wrong = 0, nr_moved = 0, nr_changed = 0, nr_cut = 0;
	uint64_t bytes = 0, nr_read = 0;
	struct snapshot *old = calloc(info.nr_cpus, sizeof(*old));
	struct snapshot *new = calloc(info.nr_cpus, sizeof(*new));
	pid_t small, large;
	uint64_t lost = 0, produced = 0;
	const char *wrong;

	session_make();
	add_functions();
	must(session_start(session), "START");
	small = start_calls("loop fargs_t_4 20000 3");
	large = start_calls("loop fargs_t_int 20000 3");
	for (i = 0; i < SNAPSHOTS || bytes < wanted_bytes; i++) {
		wait_ms(5);
		must(freeze(1), "FREEZE");
		for (bytes = 0, cpu = 0; cpu < info.nr_cpus; cpu++) {
			wrong = walk(&new[cpu], &rings[cpu]);
			if (wrong && !nr_wrong++)
				note_wrong(cpu, &new[cpu], wrong);
			bytes += new[cpu].head;
			nr_read += new[cpu].nr;
			nr_moved += new[cpu].head > old[cpu].head;
			nr_changed += !is_same(&old[cpu], &new[cpu]);
		}
		wait_ms(1);
		for (cpu = 0; cpu < info.nr_cpus; cpu++)
			nr_cut += rings[cpu].head->data_head != new[cpu].head ||
				  memcmp(rings[cpu].data, new[cpu].data, RING_BYTES);
		must(freeze(0), "thaw");
		memcpy(old, new, info.nr_cpus * sizeof(*old));
	}
	stop_calls(small);
	stop_calls(large);
	must(session_stop(session), "STOP");
	for (cpu = 0; cpu < info.nr_cpus; cpu++) {
		struct fargs_cpu_stats stats = stats_of(cpu);

		wrong = walk(&new[cpu], &rings[cpu]);
		if (wrong && !nr_wrong++)
			note_wrong(cpu, &new[cpu], wrong);
		nr_changed += !is_same(&old[cpu], &new[cpu]);
		nr_wrong += new[cpu].nr && new[cpu].last_seq >= stats.produced;
		lost += stats.lost;
		produced += stats.produced;
	}
	ktap_note("%" PRIu64 " calls, %" PRIu64 " lost while frozen or nested, "
		  "%u of %u snapshots had new ones", produced, lost, nr_moved, i * info.nr_cpus);
	ktap_note("%" PRIu64 " bytes on %u CPUs, %" PRIu64 " records were looked at", bytes,
		  info.nr_cpus, nr_read);
	ktap_ok(!nr_wrong, "storm: every record is complete and valid (%u are not)", nr_wrong);
	ktap_ok(!nr_changed, "storm: records that remain in the ring do not change");
	ktap_ok(!nr_cut, "storm: a frozen ring does not change");
	ktap_ok(nr_moved > i / 4, "storm: records are added between snapshots");
	session_end();
	free(old);
	free(new);
}

int main(int argc, char **argv)
{
	cpu_set_t one, all;
	int fd;

	if (argc == 3 && !strcmp(argv[1], "--bytes"))
		wanted_bytes = strtoull(argv[2], NULL, 0);
	else if (argc != 1)
		return 2;

	ktap_begin("abi_over");
	need_session_test();
	page = sysconf(_SC_PAGESIZE);
	fd = device_open();
	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	close(fd);
	if (!(info.features & FARGS_FEATURE_OVERWRITE))
		ktap_skip_all("this module has no FARGS_FEATURE_OVERWRITE");
	rings = calloc(info.nr_cpus, sizeof(*rings));
	target.small = symbol_address("fargs_t_4");
	target.large = symbol_address("fargs_t_int");
	target.large_bytes = FARGS_RECORD_MAX;
	test_arguments();
	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	test_newest();
	sched_setaffinity(0, sizeof(all), &all);
	test_storm();
	free(rings);
	return ktap_end();
}
