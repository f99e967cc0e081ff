// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests FARGS_START_SWITCHES (include/uapi/fargs_record.h): there must be a record for each context
 * switch.
 *
 * Missing and wrong records are detected in two ways: the next task of a switch must be the
 * previous task of that CPU's next switch; and the kernel counts the switches of each task
 * (getrusage(2)).
 */
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "lib/returns.h"

#define RING_BYTES	(4u << 20)
#define SMALL_BYTES	(16u << 10)
#define FUNCTION	"fargs_n_number"
#define TURNS		500

static struct reader reader;

struct seen {
	uint64_t nr, nr_wrong, nr_unchained, nr_holes;
};

static void begin(uint64_t bytes, uint32_t flags, int32_t tid)
{
	struct fargs_start start = {
		.flags = flags | (tid ? FARGS_START_TASKS : 0),
		.tids = (uintptr_t)&tid, .nr_tids = !!tid,
	};
	struct maker m;

	reader_open(&reader, bytes);
	maker_init(&m, symbol_address(FUNCTION), 0);
	maker_reg(&m, "number", FARGS_TYPE_U64, 0);
	must(maker_add(reader.fd, &m), "ADD of " FUNCTION);
	must(call(reader.fd, FARGS_IOC_START, &start), "START");
}

static struct fargs_stats stats_of_session(void)
{
	struct fargs_stats stats = { 0 };

	must(call(reader.fd, FARGS_IOC_STATS, &stats), "STATS");
	return stats;
}

/* Returns the next record of a ring, or NULL. */
static const struct fargs_record *next(uint32_t cpu, uint64_t *pos)
{
	const struct reader_ring *ring = &reader.rings[cpu];
	const struct fargs_record *rec = (const void *)(ring->data + (*pos & (reader.bytes - 1)));

	if (*pos >= __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE))
		return NULL;
	must(rec->len < sizeof(*rec) ? -EBADMSG : 0, "record");
	*pos += rec->len;
	return rec;
}

static uint32_t number_in(const struct fargs_record *rec)
{
	return record_find(rec, "number").low;
}

/* Checks the SWITCH records of one CPU in order. */
static void look(uint32_t cpu, struct seen *seen)
{
	const struct fargs_record *rec;
	uint64_t pos = 0, expected = 0;
	int64_t running = -1;

	while ((rec = next(cpu, &pos))) {
		struct value to, tgid, state, nr;

		if (rec->kind != FARGS_KIND_SWITCH)
			continue;
		to = record_find(rec, "switch");
		tgid = record_find(rec, "tgid");
		state = record_find(rec, "state");
		nr = record_find(rec, "nr");
		seen->nr++;
		seen->nr_wrong += to.type != FARGS_TYPE_S32 || tgid.type != FARGS_TYPE_S32 ||
				  state.type != FARGS_TYPE_U32 || nr.type != FARGS_TYPE_U64 ||
				  rec->ip || rec->parent_ip || nr.low < expected ||
				  rec->eflags & FARGS_EFLAGS_IF;
		seen->nr_holes += nr.low - expected;
		seen->nr_unchained += nr.low == expected && running >= 0 && running != rec->tid;
		expected = nr.low + 1;
		running = (uint32_t)to.low;
	}
}

static struct seen look_all(void)
{
	struct seen seen = { 0 };
	uint32_t cpu;

	for (cpu = 0; cpu < reader.nr_cpus; cpu++)
		look(cpu, &seen);
	return seen;
}

static void bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	must(sched_setaffinity(0, sizeof(set), &set) ? -errno : 0, "sched_setaffinity");
}

/* Returns the kernel's count of this task's switches. */
static long switches_of_own(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/*
 * Makes a recorded call. Returns the kernel's count of this task's switches at the time of the
 * call.
 */
static long mark(unsigned int number)
{
	char command[32];
	long before;

	snprintf(command, sizeof(command), "number %u %u", number, number);
	do {
		before = switches_of_own();
		must(target_call(command), command);
	} while (switches_of_own() != before);
	return before;
}

static void take_turns(int from, int to, int nr)
{
	char c = 0;

	while (nr--)
		must(write(to, &c, 1) != 1 || read(from, &c, 1) != 1 ? -EIO : 0, "pipe");
}

/*
 * Runs two tasks that alternate on one CPU. *@switches: number of switches of the first task
 * between its marks, as counted by the kernel. Returns the tid of the first task.
 */
static pid_t play(long *switches)
{
	int there[2], back[2], result[2], status;
	pid_t one, other;

	must(pipe(there) || pipe(back) || pipe(result) ? -errno : 0, "pipe");
	one = fork();
	if (!one) {
		long first = mark(1), last;

		take_turns(back[0], there[1], TURNS);
		last = mark(2) - first;
		_exit(write(result[1], &last, sizeof(last)) != sizeof(last));
	}
	other = fork();
	if (!other) {
		char c;
		int i;

		for (i = 0; i < TURNS; i++)
			must(read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1 ? -EIO : 0,
			     "pipe");
		_exit(0);
	}
	must(read(result[0], switches, sizeof(*switches)) != sizeof(*switches) ? -EIO : 0, "turns");
	waitpid(other, &status, 0);
	waitpid(one, &status, 0);
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
	close(result[0]);
	close(result[1]);
	return one;
}

/* Counts the SWITCH records of @tid between its last marks 1 and 2. */
static long switches_between_marks(uint32_t cpu, pid_t tid)
{
	const struct fargs_record *rec;
	uint64_t pos = 0;
	long nr = 0, result = -1;

	while ((rec = next(cpu, &pos))) {
		if (rec->tid != (uint32_t)tid)
			continue;
		if (rec->kind == FARGS_KIND_SWITCH) {
			nr++;
		} else if (rec->kind == FARGS_KIND_ENTRY) {
			if (number_in(rec) == 1)
				nr = 0;
			else
				result = nr;
		}
	}
	return result;
}

static void test_all(void)
{
	int cpu = sched_getcpu();
	struct fargs_stats stats;
	struct seen seen;
	long counted, found;
	pid_t tid;

	begin(RING_BYTES, FARGS_START_SWITCHES, 0);
	tid = play(&counted);
	must(session_stop(reader.fd), "STOP");
	stats = stats_of_session();
	seen = look_all();
	ktap_ok(seen.nr && !seen.nr_wrong, "records are valid, and have interrupts disabled");
	ktap_ok(!seen.nr_holes && !stats.nr_lost_switches && stats.nr_switches == seen.nr,
		"no switch is missing");
	if (!ktap_ok(!seen.nr_unchained,
		     "the previous task of each switch is the next task of the one before"))
		ktap_note("%llu of %llu have another one", (unsigned long long)seen.nr_unchained,
			  (unsigned long long)seen.nr);
	found = switches_between_marks(cpu, tid);
	if (!ktap_ok(counted >= TURNS && found == counted,
		     "a task has as many switches as the kernel counts"))
		ktap_note("%ld records, %ld counted", found, counted);
	reader_close(&reader);
}

static void test_losses(void)
{
	struct fargs_stats stats;
	struct seen seen;
	long counted;

	begin(SMALL_BYTES, FARGS_START_SWITCHES, 0);
	play(&counted);
	must(session_stop(reader.fd), "STOP");
	stats = stats_of_session();
	seen = look_all();
	if (!ktap_ok(stats.nr_lost_switches && seen.nr &&
		     seen.nr + stats.nr_lost_switches == stats.nr_switches && !seen.nr_wrong &&
		     seen.nr_holes <= stats.nr_lost_switches, "lost switches are counted"))
		ktap_note("%llu records, %llu lost, %llu counted", (unsigned long long)seen.nr,
			  (unsigned long long)stats.nr_lost_switches,
			  (unsigned long long)stats.nr_switches);
	reader_close(&reader);
}

/* Returns whether there is a TASK record of the new name of @tid. */
static bool is_renamed(uint32_t tid)
{
	const struct fargs_record *rec;
	uint64_t pos;
	uint32_t cpu;

	for (cpu = 0; cpu < reader.nr_cpus; cpu++) {
		for (pos = 0; (rec = next(cpu, &pos)); ) {
			if (rec->kind == FARGS_KIND_TASK && rec->tid == tid &&
			    record_find(rec, "rename").type == FARGS_TYPE_S32)
				return true;
		}
	}
	return false;
}

/*
 * Renames a task that is not traced, while this task is traced. Returns whether the new name was
 * recorded.
 */
static bool is_others_rename_recorded(uint32_t flags)
{
	int go[2], status;
	bool is_recorded;
	pid_t other;
	char c = 0;

	must(pipe(go) ? -errno : 0, "pipe");
	other = fork();
	if (!other) {
		must(read(go[0], &c, 1) != 1 || prctl(PR_SET_NAME, "another") ? -EIO : 0, "rename");
		_exit(0);
	}
	begin(RING_BYTES, flags, getpid());
	must(write(go[1], &c, 1) != 1 ? -EIO : 0, "write");
	waitpid(other, &status, 0);
	must(session_stop(reader.fd), "STOP");
	is_recorded = is_renamed(other);
	reader_close(&reader);
	close(go[0]);
	close(go[1]);
	return is_recorded;
}

static void test_names(void)
{
	ktap_ok(is_others_rename_recorded(FARGS_START_SWITCHES),
		"with switches, renames of tasks that are not traced are recorded");
	ktap_ok(!is_others_rename_recorded(0),
			"without switches, renames of tasks that are not traced are not recorded");
}

static void test_others(void)
{
	struct fargs_stats stats;
	long counted;

	begin(RING_BYTES, FARGS_START_SWITCHES, getpid());
	play(&counted);
	must(session_stop(reader.fd), "STOP");
	ktap_ok(look_all().nr >= 2 * TURNS && !look_all().nr_unchained && !look_all().nr_holes,
		"switches are recorded whichever tasks are traced");
	reader_close(&reader);
	begin(RING_BYTES, 0, 0);
	play(&counted);
	must(session_stop(reader.fd), "STOP");
	stats = stats_of_session();
	ktap_ok(!look_all().nr && !stats.nr_switches,
		"switches are not recorded without FARGS_START_SWITCHES");
	must(call(reader.fd, FARGS_IOC_START,
		  &(struct fargs_start){ .flags = FARGS_START_SWITCHES }), "START");
	play(&counted);
	must(session_stop(reader.fd), "STOP");
	ktap_ok(look_all().nr >= 2 * TURNS && stats_of_session().nr_switches == look_all().nr,
		"a second START can enable switches");
	reader_close(&reader);
}

int main(void)
{
	struct fargs_stats stats = { .nr_switches = 1, .nr_lost_switches = 1 };
	struct fargs_info info = { 0 };
	int fd;

	ktap_begin("abi_switch");
	need_session_test();
	fd = device_open();
	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	must(call(fd, FARGS_IOC_STATS, &stats), "STATS");
	close(fd);
	if (!(info.features & FARGS_FEATURE_SWITCHES))
		ktap_skip_all("this module has no FARGS_FEATURE_SWITCHES");
	ktap_ok(!stats.nr_switches && !stats.nr_lost_switches,
		"a session without a buffer records no switches");
	bind_to(sched_getcpu());
	test_all();
	test_losses();
	test_names();
	test_others();
	return ktap_end();
}
