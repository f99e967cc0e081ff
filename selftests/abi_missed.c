// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests calls whose return cannot be traced: they must be counted per function, and only if a
 * traced task makes them. Each test runs with few functions in the session and with many, for which
 * the module uses another kernel mechanism. samples/target/witness.c counts the calls as well.
 */
#include <sched.h>
#include <stddef.h>
#include <sys/wait.h>

#include "lib/calls.h"
#include "lib/witness.h"

#define RING_BYTES	(1u << 20)
/* enough functions for the module to use fprobe, if the kernel has it, instead of kretprobes */
#define MANY		24
#define FUNCS_MAX	8
/* Number of calls that the traced task makes. Each is four nested calls of fargs_r_depth(). */
#define CALLS		100
/*
 * Number of calls that the other task makes, first while the traced task makes its calls, then
 * while the session stops.
 */
#define OTHER_CALLS	100
#define WAIT_MAX	60000	/* ms */
#define DEEP		100	/* number of nested calls of fargs_d_deep() */

static uint64_t many_addrs[MANY];
static bool is_many;
static const char *how;

/* Shared with the other task, which calls the same functions continuously and counts its calls. */
static volatile struct {
	uint64_t nr_calls;
	uint32_t is_over;
} *other;

static void add(int fd, const char *function)
{
	uint64_t addr = symbol_address(function);
	struct maker m;

	must(addr ? 0 : -ENOENT, function);
	maker_init(&m, addr, FARGS_LAYOUT_RETURN);
	maker_reg(&m, "arg", FARGS_TYPE_S64, 0);
	must(maker_add(fd, &m), function);
}

static void add_many(int fd)
{
	struct maker m;
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		maker_init(&m, many_addrs[i], FARGS_LAYOUT_RETURN);
		must(maker_add(fd, &m), "ADD of many");
	}
}

static void open_session(struct reader *r)
{
	reader_open(r, RING_BYTES);
	if (is_many)
		add_many(r->fd);
}

/* Traces this task and those that it forks from now on. */
static void must_start(int fd, uint32_t maxactive)
{
	int32_t tid = getpid();
	struct fargs_start start = {
		.flags = FARGS_START_TASKS, .nr_tids = 1, .tids = (uintptr_t)&tid,
		.maxactive = maxactive,
	};

	must(call(fd, FARGS_IOC_START, &start), "START");
}

static pid_t fork_other(void)
{
	cpu_set_t last;
	pid_t pid;

	other->is_over = 0;
	pid = fork();
	must(pid, "fork");
	if (pid)
		return pid;
	CPU_ZERO(&last);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &last);
	sched_setaffinity(0, sizeof(last), &last);
	while (!other->is_over) {
		target_call("fargs_r_depth");
		other->nr_calls++;
	}
	_exit(0);
}

/* Waits until the other task has made @nr more calls. */
static void wait_for_other(uint64_t nr)
{
	const uint64_t until = other->nr_calls + nr;
	unsigned int ms;

	for (ms = 0; other->nr_calls < until && ms < WAIT_MAX; ms++)
		usleep(1000);
	must(other->nr_calls < until ? -ETIMEDOUT : 0, "the other task does nothing");
}

struct missed {
	struct fargs_func_stats funcs[FUNCS_MAX];
	struct fargs_stats stats;
};

static void read_missed(const struct reader *r, struct missed *missed)
{
	memset(missed, 0, sizeof(*missed));
	missed->stats.funcs = (uintptr_t)missed->funcs;
	missed->stats.nr_funcs = FUNCS_MAX;
	must(call(r->fd, FARGS_IOC_STATS, &missed->stats), "STATS");
}

/* Returns the counters of @function; all 0 if @missed has none for it. */
static struct fargs_func_stats missed_of(const struct missed *missed, const char *function)
{
	const uint64_t addr = symbol_address(function);
	uint32_t i;

	for (i = 0; i < missed->stats.nr_funcs && i < FUNCS_MAX; i++)
		/* With IBT, the fentry address is 4 bytes after the symbol. */
		if (missed->funcs[i].ip - addr <= 4)
			return missed->funcs[i];
	return (struct fargs_func_stats){ 0 };
}

static void note(const struct reader *r, const struct missed *missed)
{
	struct totals t = reader_totals(r);
	uint32_t i;

	ktap_note("produced %lu lost %lu missed %lu nr_missed %lu, other's calls %lu", t.produced,
		  t.lost, t.missed, t.nr_missed, other->nr_calls);
	for (i = 0; missed && i < missed->stats.nr_funcs && i < FUNCS_MAX; i++)
		ktap_note("%#llx: missed %llu, of any task %llu", missed->funcs[i].ip,
			  missed->funcs[i].missed, missed->funcs[i].missed_any);
}

/* Tests that only calls of the traced task are counted, while another task makes the same calls. */
static void test_other(void)
{
	struct missed missed;
	struct totals totals;
	struct reader r;
	unsigned int i;
	uint64_t nr;
	pid_t pid;

	open_session(&r);
	add(r.fd, "fargs_r_depth");
	add(r.fd, "fargs_r_int");
	pid = fork_other();
	must_start(r.fd, 2);
	for (i = 0; i < CALLS; i++) {
		must(target_call("fargs_r_depth"), "call");
		if (i % 10 == 9)
			wait_for_other(OTHER_CALLS / 10);
	}
	must(target_call("fargs_r_int"), "call");
	must(session_stop(r.fd), "STOP");
	wait_for_other(1);
	other->is_over = 1;
	waitpid(pid, NULL, 0);
	nr = reader_skip(&r);
	totals = reader_totals(&r);
	read_missed(&r, &missed);
	if (!ktap_ok(nr == 2 * CALLS + 4 && totals.produced == 4 * CALLS + 4 &&
		     totals.missed == 2 * CALLS && totals.lost == totals.missed,
		     "%s: of %u calls all are kept or missed, and none is of another task", how,
		     4 * CALLS))
		note(&r, &missed);
	if (!ktap_ok(!totals.nr_missed, "%s: the kernel missed none, also during STOP", how))
		note(&r, &missed);
	if (!ktap_ok(missed.stats.nr_funcs == 1 && missed.stats.maxactive == 2 &&
		     missed_of(&missed, "fargs_r_depth").missed == 2 * CALLS &&
		     !missed.funcs[0].missed_any && !missed.funcs[0].from_tsc,
		     "%s: missed calls are counted for their function", how))
		note(&r, &missed);
	reader_close(&r);
}

/*
 * Opens a session with maxactive 1 that misses calls of two functions: two tasks, whose pids are
 * stored in @sleeping, sleep in one function, and calls of the other function are nested.
 */
static void miss_two(struct reader *r, pid_t sleeping[2])
{
	open_session(r);
	add(r->fd, "__x64_sys_pause");
	add(r->fd, "fargs_r_int");
	must_start(r->fd, 1);
	sleeping[0] = fork_paused();
	sleeping[1] = fork_paused();
	must(target_call("fargs_r_int"), "call");
}

static void stop_two(struct reader *r, const pid_t sleeping[2])
{
	wake(sleeping[1]);
	wake(sleeping[0]);
	must(session_stop(r->fd), "STOP");
}

static bool are_two_missed(const struct missed *missed)
{
	return missed->stats.nr_funcs == 2 && missed_of(missed, "__x64_sys_pause").missed == 1 &&
	       missed_of(missed, "fargs_r_int").missed == 4;
}

/* Tests that the counts of two functions persist across STOP and START. */
static void test_functions(void)
{
	struct missed missed;
	pid_t sleeping[2];
	struct reader r;

	miss_two(&r, sleeping);
	read_missed(&r, &missed);
	if (!ktap_ok(are_two_missed(&missed),
		     "%s: missed calls of two functions are counted", how))
		note(&r, &missed);
	stop_two(&r, sleeping);
	must_start(r.fd, 0);
	must(target_call("fargs_r_int"), "call");
	must(session_stop(r.fd), "STOP");
	read_missed(&r, &missed);
	if (!ktap_ok(are_two_missed(&missed) && missed.stats.maxactive > 2,
		     "%s: counts remain when the session starts again", how))
		note(&r, &missed);
	reader_close(&r);
}

/*
 * Tests calls that are nested more deeply than fprobe in Linux 7.2 can trace. If the return stack
 * has room for the frame of a call, but not for its data, the kernel counts the call as missed. No
 * other task makes such calls here.
 */
static void test_deep(void)
{
	struct missed missed;
	struct totals totals;
	struct reader r;
	uint64_t nr, too_deep;

	open_session(&r);
	add(r.fd, "fargs_d_deep");
	must_start(r.fd, 0);
	must(target_call("fargs_d_deep 3"), "call");
	must(session_stop(r.fd), "STOP");
	nr = reader_skip(&r);
	totals = reader_totals(&r);
	read_missed(&r, &missed);
	too_deep = missed_of(&missed, "fargs_d_deep").too_deep;
	ktap_note("%s: kept %lu, too deep %lu, missed by the kernel %lu", how, nr, too_deep,
		  totals.nr_missed);
	if (!ktap_ok(nr >= 3 * 30 && nr + too_deep + totals.nr_missed == 3 * DEEP &&
		     totals.produced == nr && !totals.nr_pending,
		     "%s: of %u nested calls all are kept or counted", how, DEEP))
		note(&r, &missed);
	reader_close(&r);
}

/*
 * Adds @function with a predicate that rejects calls for which @get, as a signed value of 32 bits,
 * is @rejected. Returns the fentry address.
 */
static uint64_t add_rejecting(int fd, const char *function, enum fargs_prog which,
			      struct fargs_insn get, int32_t rejected)
{
	const struct fargs_insn rest[] = {
		{ .op = FARGS_OP_SHL, .dst = 0, .imm = 32 },
		{ .op = FARGS_OP_SAR, .dst = 0, .imm = 32 },
		{ .op = FARGS_OP_JIF, .dst = 0, .arg = FARGS_COND_NE, .off = 1,
		  .imm = (uint64_t)rejected },
		{ .op = FARGS_OP_REJECT },
		{ .op = FARGS_OP_ACCEPT },
	};
	struct maker m;
	unsigned int i;

	maker_init(&m, symbol_address(function), FARGS_LAYOUT_RETURN);
	maker_reg(&m, "arg", FARGS_TYPE_S64, 0);
	maker_insn(&m, which, get);
	for (i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		maker_insn(&m, which, rest[i]);
	must(maker_add(fd, &m), function);
	return m.layout.ip;
}

/* Adds three functions to the session, and the same to the witness. */
static int add_witnessed(int fd)
{
	static const struct fargs_insn arg = { .op = FARGS_OP_ARG, .dst = 0, .arg = 0 };
	static const struct fargs_insn ret = {
		.op = FARGS_OP_CTX, .dst = 0, .arg = FARGS_CTX_RETURN,
	};
	const uint64_t ips[] = {
		add_rejecting(fd, "fargs_r_depth", FARGS_PROG_ENTRY_PREDICATE, arg, 1),
		add_rejecting(fd, "fargs_r_int", FARGS_PROG_RETURN_PREDICATE, ret, 0),
		/*
		 * The calls are nested too deeply for some kernels' return stacks; the predicate
		 * rejects none.
		 */
		add_rejecting(fd, "fargs_d_deep", FARGS_PROG_ENTRY_PREDICATE, arg, -1),
	};
	int witness = open(WITNESS_PROC, O_RDWR | O_CLOEXEC);

	must(witness < 0 ? -errno : 0, WITNESS_PROC);
	witness_begin(witness, ips, sizeof(ips) / sizeof(ips[0]));
	return witness;
}

/* Two traced tasks on each CPU call the functions; returns when all have ended. */
static void call_from_everywhere(uint32_t nr_cpus)
{
	pid_t pids[2 * 64];
	uint32_t i, j;

	for (i = 0; i < 2 * nr_cpus; i++) {
		cpu_set_t set;

		pids[i] = fork();
		must(pids[i], "fork");
		if (pids[i])
			continue;
		CPU_ZERO(&set);
		CPU_SET(i / 2, &set);
		sched_setaffinity(0, sizeof(set), &set);
		for (j = 0; j < CALLS; j++)
			if (target_call("fargs_r_depth") || target_call("fargs_r_int") ||
			    (j % 10 == 0 && target_call("fargs_d_deep")))
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < 2 * nr_cpus; i++) {
		int status = 0;

		must(waitpid(pids[i], &status, 0) < 0 ? -errno : 0, "waitpid");
		must(status ? -EIO : 0, "a task's calls");
	}
}

/*
 * Tests that each call by a traced task is kept, lost, rejected or missed, and that the total
 * equals the count of the witness, which shares no code with fargs. Only the total is checked,
 * because calls that are lost, or rejected at their return, leave no other trace. Calls by the
 * untraced task are subtracted from the witness' count; each of them consists of four nested calls.
 */
static void test_sum(void)
{
	struct missed missed;
	struct totals totals;
	uint64_t kept, too_deep, sum, truth, before;
	struct reader r;
	int witness;
	pid_t pid;

	/* The rings are too small for all records, and are not read. */
	reader_open(&r, 16u << 10);
	if (is_many)
		add_many(r.fd);
	witness = add_witnessed(r.fd);
	before = witness_sum(witness, r.nr_cpus);
	other->nr_calls = 0;
	pid = fork_other();
	must_start(r.fd, 2);
	call_from_everywhere(r.nr_cpus);
	must(session_stop(r.fd), "STOP");
	other->is_over = 1;
	waitpid(pid, NULL, 0);
	truth = witness_sum(witness, r.nr_cpus) - before - 4 * other->nr_calls;
	close(witness);
	kept = reader_skip(&r);
	totals = reader_totals(&r);
	read_missed(&r, &missed);
	too_deep = missed_of(&missed, "fargs_r_depth").too_deep +
		   missed_of(&missed, "fargs_r_int").too_deep +
		   missed_of(&missed, "fargs_d_deep").too_deep;
	sum = kept + totals.lost + totals.rejected + too_deep + totals.nr_missed;
	ktap_note("%s: kept %lu + lost %lu + rejected %lu + missed %lu + too deep %lu, by the "
		  "kernel %lu = %lu; witness %lu (the other task's %lu not included)", how, kept,
		  totals.lost - totals.missed, totals.rejected, totals.missed, too_deep,
		  totals.nr_missed, sum, truth, 4 * other->nr_calls);
	ktap_ok(kept && totals.lost > totals.missed && totals.rejected && totals.missed &&
		other->nr_calls, "%s: calls were kept, lost, rejected, missed and not traced", how);
	if (!ktap_ok(kept + totals.lost + totals.rejected == totals.produced,
		     "%s: kept + lost + rejected are the calls with a number", how))
		note(&r, &missed);
	if (!ktap_ok(sum == truth && !totals.nr_pending,
		     "%s: kept + lost + rejected + missed are the calls that the witness counted",
		     how))
		note(&r, &missed);
	reader_close(&r);
}

static void test_room(void)
{
	struct fargs_func_stats funcs[2];
	struct fargs_stats stats = { 0 };
	pid_t sleeping[2];
	struct reader r;

	miss_two(&r, sleeping);
	stop_two(&r, sleeping);
	ktap_ok(!call(r.fd, FARGS_IOC_STATS, &stats) && stats.nr_funcs == 2,
		"%s: STATS without room returns the number of functions", how);
	memset(funcs, 0xa5, sizeof(funcs));
	stats = (struct fargs_stats){ .funcs = (uintptr_t)funcs, .nr_funcs = 1 };
	ktap_ok(!call(r.fd, FARGS_IOC_STATS, &stats) && stats.nr_funcs == 2 &&
		funcs[0].missed < 5 && funcs[1].missed == 0xa5a5a5a5a5a5a5a5ull,
		"%s: room for one function gets one, and the number of functions", how);
	stats = (struct fargs_stats){ .funcs = 8, .nr_funcs = 2 };
	ktap_ok(call(r.fd, FARGS_IOC_STATS, &stats) == -EFAULT,
		"%s: memory that is not writable is EFAULT", how);
	stats = (struct fargs_stats){ .funcs = (uintptr_t)funcs, .nr_funcs = UINT32_MAX };
	ktap_ok(!call(r.fd, FARGS_IOC_STATS, &stats) && stats.nr_funcs == 2 &&
		funcs[1].missed < 5, "%s: more room than functions is accepted", how);
	memset(funcs, 0xa5, sizeof(funcs));
	memset(&stats, 0, sizeof(stats));
	ktap_ok(!call_size(r.fd, FARGS_IOC_STATS, &stats.head,
			   offsetof(struct fargs_stats, funcs)) && !stats.nr_funcs &&
		!stats.maxactive, "%s: a smaller struct fargs_stats gets no functions", how);
	reader_close(&r);
}

static void test_all(void)
{
	how = is_many ? "many functions" : "few functions";
	test_other();
	test_functions();
	test_deep();
	test_room();
	test_sum();
}

int main(void)
{
	struct fargs_info info = { 0 };
	int fd;

	ktap_begin("abi_missed");
	need_session_test();
	fd = device_open();
	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	ktap_ok(info.features & FARGS_FEATURE_MISSED, "INFO reports that missed calls are counted");
	close(fd);
	other = mmap(NULL, sizeof(*other), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	must(other == MAP_FAILED ? -errno : 0, "mmap");
	must(find_idle(many_addrs, MANY) == MANY ? 0 : -ENOENT, "functions that nobody calls");
	test_all();
	/* Without fprobe, the module has only one mechanism, which is slow with many functions. */
	if (!is_old_kernel()) {
		is_many = true;
		test_all();
	}
	return ktap_end();
}
