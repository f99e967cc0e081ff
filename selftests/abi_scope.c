// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests FARGS_LAYOUT_SCOPE: which calls are in scope. The test uses known calls of samples/target
 * and of system calls: recursion, interrupts, tasks that sleep or die in scope, and calls that must
 * not be in scope. Each test runs with few functions in the session and with many, for which the
 * module uses another kernel mechanism.
 */
#include <stddef.h>
#include <sys/syscall.h>

#include "lib/calls.h"
#include "lib/returns.h"

#define RING_BYTES	(1u << 20)
#define RECORDS_MAX	16384
/* enough functions for the module to use fprobe, if the kernel has it, instead of kretprobes */
#define MANY		24

#define SCOPE		FARGS_LAYOUT_SCOPE
#define SILENT		(FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_SILENT)

static const struct fargs_record *records[RECORDS_MAX];
static uint64_t many_addrs[MANY];
static bool is_many;
static const char *how;

/* ---- layouts ---- */

static uint64_t address_of(const char *function)
{
	uint64_t addr = symbol_address(function);

	must(addr ? 0 : -ENOENT, function);
	return addr;
}

/*
 * Makes a layout with the function's first argument and, with FARGS_LAYOUT_RETURN, its return
 * value.
 */
static void maker_usual(struct maker *m, const char *function, uint32_t flags)
{
	maker_init(m, address_of(function), flags);
	if (!(flags & FARGS_LAYOUT_SILENT))
		maker_reg(m, "arg", FARGS_TYPE_S32, 0);
	if (flags & FARGS_LAYOUT_RETURN) {
		maker_return(m, "ret", FARGS_TYPE_S32, FARGS_SOURCE_RETURN, 0);
		maker_return(m, "entered", FARGS_TYPE_U64, FARGS_SOURCE_ENTRY_TSC, 0);
	}
}

/* Makes a program that accepts calls whose first argument, an int, meets the condition. */
static void maker_condition(struct maker *m, enum fargs_prog which, enum fargs_cond cond,
			    int64_t value)
{
	static const struct fargs_insn get[] = {
		{ .op = FARGS_OP_ARG, .dst = 0, .arg = 0 },
		{ .op = FARGS_OP_SHL, .dst = 0, .imm = 32 },
		{ .op = FARGS_OP_SAR, .dst = 0, .imm = 32 },
	};
	size_t i;

	for (i = 0; i < sizeof(get) / sizeof(get[0]); i++)
		maker_insn(m, which, get[i]);
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_JIF, .dst = 0, .arg = cond,
						  .off = 1, .imm = value });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_REJECT });
	maker_insn(m, which, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
}

static void add_usual(int fd, const char *function, uint32_t flags)
{
	struct maker m;

	maker_usual(&m, function, flags);
	must(maker_add(fd, &m), function);
}

static void open_session(struct reader *r)
{
	struct maker m;
	int i;

	reader_open(r, RING_BYTES);
	for (i = 0; is_many && i < MANY; i++) {
		maker_init(&m, many_addrs[i], SILENT);
		must(maker_add(r->fd, &m), "ADD of many");
	}
}

static void must_start(struct reader *r)
{
	must(session_start(r->fd), "START");
}

/* Starts a session that traces this task, and the tasks that it forks. */
static void must_start_own(struct reader *r, uint32_t maxactive)
{
	int32_t tid = getpid();
	struct fargs_start start = {
		.flags = FARGS_START_TASKS, .nr_tids = 1, .tids = (uintptr_t)&tid,
		.maxactive = maxactive,
	};

	must(call(r->fd, FARGS_IOC_START, &start), "START");
}

static struct fargs_stats stats_of(const struct reader *r)
{
	struct fargs_stats stats = { 0 };

	must(call(r->fd, FARGS_IOC_STATS, &stats), "STATS");
	return stats;
}

/* Stops the session, and reads all records. */
static uint32_t stop_and_read(struct reader *r)
{
	must(session_stop(r->fd), "STOP");
	return reader_peek(r, records, RECORDS_MAX);
}

/* ---- refused layouts ---- */

static void check_refused(struct maker *m, uint32_t field, const char *what)
{
	int fd = device_open(), ret = maker_add(fd, m);

	if (!ktap_ok(ret == -EINVAL && last_error.field == field, "%s is refused: %s", what,
		     last_error.text))
		ktap_note("%d, field %u instead of %u", ret, last_error.field, field);
	close(fd);
}

#define FIELD(name)	((uint32_t)offsetof(struct fargs_layout, name))

static void test_refused(void)
{
	/* offset of the first program in a layout without stores */
	const uint32_t program = sizeof(struct fargs_layout);
	struct maker m;

	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_SILENT);
	check_refused(&m, FIELD(flags), "SILENT alone");
	maker_usual(&m, "fargs_r_depth", SILENT | FARGS_LAYOUT_RETURN);
	check_refused(&m, FIELD(flags), "SILENT with a return");
	maker_usual(&m, "fargs_r_depth", SCOPE | FARGS_LAYOUT_GRAPH);
	check_refused(&m, FIELD(flags), "GRAPH without a return");
	maker_usual(&m, "fargs_r_depth", 1u << 31);
	check_refused(&m, FIELD(flags), "an unknown flag");

	maker_usual(&m, "fargs_r_depth", SILENT);
	maker_reg(&m, "arg", FARGS_TYPE_S32, 0);
	check_refused(&m, FIELD(nr_stores), "a store without a record");
	maker_usual(&m, "fargs_r_depth", SILENT);
	maker_condition(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_EQ, 1);
	check_refused(&m, FIELD(nr_insns[FARGS_PROG_ENTRY_PREDICATE]),
		      "a predicate in a layout without records");
	maker_usual(&m, "fargs_r_depth", 0);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_EQ, 1);
	check_refused(&m, FIELD(nr_insns[FARGS_PROG_SCOPE]), "a SCOPE program without the flag");
	maker_usual(&m, "fargs_r_depth", FARGS_LAYOUT_RETURN);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_EQ, 1);
	check_refused(&m, FIELD(nr_insns[FARGS_PROG_SCOPE]),
		      "a SCOPE program with FARGS_LAYOUT_RETURN alone");

	maker_usual(&m, "fargs_r_depth", SILENT);
	maker_insn(&m, FARGS_PROG_SCOPE, (struct fargs_insn){ .op = FARGS_OP_CTX, .dst = 0,
							      .arg = FARGS_CTX_RETURN });
	maker_insn(&m, FARGS_PROG_SCOPE, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	check_refused(&m, program + offsetof(struct fargs_insn, arg),
		      "a SCOPE program that uses the return value");
	maker_usual(&m, "fargs_r_depth", SILENT);
	maker_insn(&m, FARGS_PROG_SCOPE, (struct fargs_insn){ .op = FARGS_OP_IMM, .dst = 0 });
	check_refused(&m, program + offsetof(struct fargs_insn, op),
		      "a SCOPE program without a verdict");
	maker_usual(&m, "fargs_r_depth", SCOPE);
	maker_insn(&m, FARGS_PROG_SCOPE, (struct fargs_insn){ .op = FARGS_OP_IMM, .dst = 0 });
	maker_insn(&m, FARGS_PROG_SCOPE, (struct fargs_insn){ .op = FARGS_OP_ST, .src = 0,
							      .off = 5 });
	maker_insn(&m, FARGS_PROG_SCOPE, (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	check_refused(&m, program + sizeof(struct fargs_store) + sizeof(struct fargs_insn) +
		      offsetof(struct fargs_insn, op), "a SCOPE program that stores");
}

/* ---- nested calls: fargs_r_depth(3) calls itself with 2, 1, 0 ---- */

/*
 * Makes the calls of fargs_r_depth(3), and checks the order of the records. @args: the expected
 * arguments as digits; a '-' precedes a return value.
 */
static void check_depth(struct maker *m, const char *args, uint32_t nr_rejected, const char *what)
{
	struct totals totals;
	char got[64] = "";
	struct reader r;
	uint32_t i, nr;

	open_session(&r);
	must(maker_add(r.fd, m), what);
	must_start(&r);
	must(target_call("fargs_r_depth"), "call");
	nr = stop_and_read(&r);
	for (i = 0; i < nr && i < 10; i++) {
		bool is_return = records[i]->kind == FARGS_KIND_RETURN;
		bool has_arg = record_find(records[i], "arg").type;

		sprintf(got + strlen(got), "%s%d", is_return ? "-" : "",
			(int32_t)record_find(records[i], has_arg ? "arg" : "ret").low);
	}
	totals = reader_totals(&r);
	if (!ktap_ok(!strcmp(got, args) && totals.produced == nr + nr_rejected &&
		     totals.rejected == nr_rejected && !totals.lost && !totals.nr_pending,
		     "%s: %s", how, what))
		ktap_note("'%s' instead of '%s', produced %lu", got, args, totals.produced);
	reader_close(&r);
}

static void test_depth(void)
{
	struct maker m;

	maker_usual(&m, "fargs_r_depth", SCOPE);
	check_depth(&m, "3210", 0, "without a condition each call is in scope");
	maker_usual(&m, "fargs_r_depth", SCOPE);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_EQ, 1);
	check_depth(&m, "10", 0, "a call that is accepted, and the calls inside it, are in scope");
	maker_usual(&m, "fargs_r_depth", SCOPE);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_SGE, 1);
	check_depth(&m, "3210", 0, "the return of a nested accepted call does not end the scope");
	maker_usual(&m, "fargs_r_depth", SCOPE);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_SGT, 3);
	check_depth(&m, "", 0, "if no call is accepted, no sequence number is allocated");
	maker_usual(&m, "fargs_r_depth", SCOPE);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_EQ, 2);
	maker_condition(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_EQ, 0);
	check_depth(&m, "0", 2, "a predicate selects among the calls in scope");

	maker_usual(&m, "fargs_r_depth", SCOPE | FARGS_LAYOUT_RETURN);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_EQ, 2);
	check_depth(&m, "-0-1-2", 0, "returns of calls in scope are recorded");
	maker_usual(&m, "fargs_r_depth", SCOPE | FARGS_LAYOUT_RETURN);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_EQ, 2);
	maker_condition(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_EQ, 1);
	check_depth(&m, "-1", 2, "a predicate may reject the outermost call of the scope");
	maker_usual(&m, "fargs_r_depth", SCOPE | FARGS_LAYOUT_RETURN | FARGS_LAYOUT_GRAPH);
	maker_condition(&m, FARGS_PROG_SCOPE, FARGS_COND_EQ, 1);
	/* The calls in scope return 0 and 1. */
	check_depth(&m, "10-0-1", 0, "graph: entries and returns of calls in scope are recorded");
}

/* ---- other functions: fargs_r_tail(4) jumps to fargs_r_int(5) ---- */

enum path { PLAIN, FETCH, RETURN, PATHS };

static void test_others(enum path path)
{
	static const char *const names[PATHS] = { "plain", "with a program", "with its return" };
	struct totals totals;
	struct reader r;
	struct maker m;
	uint32_t nr;

	open_session(&r);
	maker_usual(&m, "fargs_r_int", path == RETURN ? FARGS_LAYOUT_RETURN : 0);
	if (path == FETCH)
		maker_condition(&m, FARGS_PROG_ENTRY_PREDICATE, FARGS_COND_NE, 77);
	must(maker_add(r.fd, &m), "fargs_r_int");
	add_usual(r.fd, "fargs_r_tail", SILENT);
	must_start(&r);
	must(target_call("fargs_r_int"), "call");
	must(target_call("fargs_r_tail"), "call");
	must(target_call("fargs_r_int"), "call");
	nr = stop_and_read(&r);
	totals = reader_totals(&r);
	if (!ktap_ok(nr == 1 && (int32_t)record_find(records[0], "arg").low == 5 &&
		     totals.produced == 1 && !totals.nr_pending,
		     "%s: a function %s is recorded only in scope of another", how, names[path]))
		ktap_note("%u records, produced %lu", nr, totals.produced);
	reader_close(&r);
}

/* ---- interrupts ---- */

/*
 * Each of these functions makes 4000 calls: the first in threads, the second in hard interrupts,
 * and the third in soft interrupts, which interrupt the threads.
 */
static const struct kind {
	const char *function;
	uint32_t wanted;	/* expected value of preempt & FLAGS in the records */
	const char *what;
} kinds[] = {
	{ "worker_run", 0, "tasks" },
	{ "hardirq_burst", FARGS_PREEMPT_HARDIRQ, "hard interrupts" },
	{ "softirq_burst", FARGS_PREEMPT_SERVING, "soft interrupts" },
};

#define FLAGS	(FARGS_PREEMPT_SERVING | FARGS_PREEMPT_HARDIRQ | FARGS_PREEMPT_NMI)

static void test_interrupts(const struct kind *kind)
{
	struct totals totals;
	struct reader r;
	uint32_t i, nr, nr_other = 0;

	open_session(&r);
	add_usual(r.fd, kind->function, SILENT);
	add_usual(r.fd, "fargs_r_int", 0);
	must_start(&r);
	must(target_call("loop fargs_r_int 250 4"), "loop");
	nr = stop_and_read(&r);
	for (i = 0; i < nr; i++) {
		uint32_t flags = records[i]->preempt & FLAGS;

		nr_other += kind->wanted ? !(flags & kind->wanted) : !!flags;
	}
	totals = reader_totals(&r);
	if (!ktap_ok(totals.produced == 4000 && !nr_other && nr + totals.lost == 4000 &&
		     !totals.nr_missed && !totals.nr_pending,
		     "%s: calls of %s are in scope, not those of interrupts", how, kind->what))
		ktap_note("%u records, %u of others, produced %lu, missed %lu", nr, nr_other,
			  totals.produced, totals.nr_missed);
	reader_close(&r);
}

/* ---- tasks that sleep ---- */

static bool are_all_of(uint32_t nr, pid_t pid)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		if (records[i]->tid != (uint32_t)pid)
			return false;
	return true;
}

static void test_sleeping(void)
{
	struct reader r;
	pid_t pid;
	uint32_t nr;
	int i;

	open_session(&r);
	add_usual(r.fd, "__x64_sys_pause", SILENT);
	add_usual(r.fd, "schedule", 0);
	add_usual(r.fd, "__x64_sys_getppid", 0);
	must_start_own(&r, 0);
	pid = fork_paused();
	for (i = 0; i < 100; i++) {
		syscall(SYS_getppid);
		usleep(1000);
	}
	wake(pid);
	nr = stop_and_read(&r);
	if (!ktap_ok(nr && are_all_of(nr, pid),
		     "%s: while one task sleeps in scope, other tasks are not in scope", how))
		ktap_note("%u records, the first of %u, not %d", nr, nr ? records[0]->tid : 0, pid);
	reader_close(&r);
}

static void test_maxactive(void)
{
	struct fargs_stats stats;
	pid_t first, second;
	struct reader r;
	uint32_t nr;

	open_session(&r);
	add_usual(r.fd, "__x64_sys_pause", SILENT);
	add_usual(r.fd, "schedule", 0);
	must_start_own(&r, 1);
	first = fork_paused();
	second = fork_paused();
	stats = stats_of(&r);
	wake(second);
	wake(first);
	nr = stop_and_read(&r);
	ktap_ok(nr && are_all_of(nr, first) && stats.nr_unmarked == 1 &&
		stats_of(&r).nr_unmarked == 1,
		"%s: with maxactive 1 the second sleeper is not in scope, and is counted", how);
	reader_close(&r);
}

/*
 * Since Linux 6.14, fprobe registers a fgraph_ops with the function graph tracer, which assigns it
 * an index: 0 to 15, cyclically. If a call was made while fprobe had another index, and returns
 * while fprobe has index 0, the kernel warns.
 */
#define GRAPH_USERS	16

static bool is_fprobe_graph_user(void)
{
	struct fargs_info info = { 0 };
	int major = 0, minor = 0, fd = device_open();

	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	close(fd);
	must(sscanf(info.release, "%d.%d", &major, &minor) == 2 ? 0 : -EINVAL, info.release);
	return is_many && (major > 6 || (major == 6 && minor >= 14));
}

/*
 * Tests calls that return after the index of fprobe's fgraph_ops has changed, as it does at each
 * START. After each START from the third on, two tasks return: one from a call made after the first
 * START, the other from a call made after the second START. The index is 0 after one of these
 * STARTs, and at least one of the two calls was made while the index was not 0.
 */
static void test_stale_returns(void)
{
	int i, nr = is_fprobe_graph_user() ? GRAPH_USERS : 1;
	pid_t older[GRAPH_USERS], newer[GRAPH_USERS];
	uint64_t nr_produced = 0;
	struct reader r;

	open_session(&r);
	add_usual(r.fd, "__x64_sys_pause", SILENT);
	add_usual(r.fd, "exit_files", 0);
	must_start_own(&r, 0);
	for (i = 0; i < nr; i++)
		older[i] = fork_paused();
	must(session_stop(r.fd), "STOP");
	must_start_own(&r, 0);
	for (i = 0; i < nr; i++)
		newer[i] = fork_paused();
	must(session_stop(r.fd), "STOP");
	for (i = 0; i < nr; i++) {
		must_start_own(&r, 0);
		wake(older[i]);
		wake(newer[i]);
		must(session_stop(r.fd), "STOP");
		nr_produced += reader_totals(&r).produced;
	}
	ktap_ok(!nr_produced, "%s: calls return %d STARTs later", how, nr);
	reader_close(&r);
}

static void test_stop(void)
{
	struct totals totals;
	struct reader r;
	pid_t pid;

	open_session(&r);
	add_usual(r.fd, "__x64_sys_pause", SILENT);
	add_usual(r.fd, "exit_files", 0);
	must_start_own(&r, 0);
	pid = fork_paused();
	must(session_stop(r.fd), "STOP");
	totals = reader_totals(&r);
	ktap_ok(!totals.produced && totals.nr_pending == 1,
		"%s: STOP counts the calls that are open", how);
	must_start_own(&r, 0);
	wake(pid);
	must(session_stop(r.fd), "STOP");
	totals = reader_totals(&r);
	ktap_ok(!totals.produced && !totals.nr_pending,
		"%s: a call from before the next START has no scope", how);
	must_start_own(&r, 0);
	wake(fork_paused());
	must(session_stop(r.fd), "STOP");
	ktap_ok(!reader_totals(&r).produced,
		"%s: after the return of a call from before, nothing is in scope", how);
	reader_close(&r);
}

/* ---- tasks that die ---- */

#define PID_MAX_FILE	"/proc/sys/kernel/pid_max"
#define DEATHS		600

static int read_pid_max(void)
{
	FILE *file = fopen(PID_MAX_FILE, "re");
	int max = 0;

	must(file && fscanf(file, "%d", &max) == 1 ? 0 : -EIO, PID_MAX_FILE);
	fclose(file);
	return max;
}

static void write_pid_max(int max)
{
	FILE *file = fopen(PID_MAX_FILE, "we");

	must(file && fprintf(file, "%d\n", max) > 0 && !fclose(file) ? 0 : -EIO, PID_MAX_FILE);
}

/* Forks a child that exits, and returns its pid, which is the newest pid. */
static pid_t dead_child(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	must(pid, "fork");
	must(waitpid(pid, NULL, 0), "waitpid");
	return pid;
}

/*
 * Tests tasks that die in scope, in exit_group(2), which never returns. Their pids, task_structs
 * and stacks are reused by other tasks, which call getppid(2) before they exit.
 */
static void test_dying(void)
{
	int i, pid_max = read_pid_max(), reused = 0;
	uint64_t files = address_of("exit_files");
	pid_t pid, last = 0;
	struct totals totals;
	struct reader r;
	uint32_t nr, nr_files = 0;

	/* Get the current pid number from a new child: it may be far from our own pid. */
	pid = dead_child();
	open_session(&r);
	add_usual(r.fd, "__x64_sys_exit_group", SILENT);
	add_usual(r.fd, "__x64_sys_getppid", 0);
	add_usual(r.fd, "exit_files", 0);
	must_start_own(&r, 0);
	write_pid_max(pid + DEATHS / 3 > 400 ? pid + DEATHS / 3 : 400);
	for (i = 0; i < DEATHS; i++) {
		pid = fork();
		if (!pid) {
			syscall(SYS_getppid);
			_exit(0);
		}
		must(pid, "fork");
		must(waitpid(pid, NULL, 0), "waitpid");
		reused += pid < last;
		last = pid;
	}
	write_pid_max(pid_max);
	nr = stop_and_read(&r);
	for (i = 0; i < (int)nr; i++)
		nr_files += records[i]->ip == files || records[i]->ip == files + 4;
	totals = reader_totals(&r);
	if (!ktap_ok(reused && nr == DEATHS && nr_files == DEATHS && !totals.missed &&
		     totals.nr_pending == DEATHS && !stats_of(&r).nr_unmarked,
		     "%s: a dying task stays in scope, tasks that reuse its PID are not", how))
		ktap_note("%u records, %u of exit_files, pending %lu, numbers came round %d times",
			  nr, nr_files, totals.nr_pending, reused);
	reader_close(&r);
}

/* Tests that a child does not inherit its parent's scope. */
static void test_fork(void)
{
	struct reader r;
	uint32_t nr;
	pid_t pid;

	open_session(&r);
	add_usual(r.fd, "kernel_clone", SILENT);
	add_usual(r.fd, "__x64_sys_getppid", 0);
	add_usual(r.fd, "wake_up_new_task", 0);
	must_start_own(&r, 0);
	pid = fork();
	if (!pid) {
		syscall(SYS_getppid);
		_exit(0);
	}
	must(pid, "fork");
	must(waitpid(pid, NULL, 0), "waitpid");
	nr = stop_and_read(&r);
	ktap_ok(nr == 1 && records[0]->tid == (uint32_t)getpid(),
		"%s: a child does not inherit its parent's scope", how);
	reader_close(&r);
}

/* ---- a module that is unloaded ---- */

static void test_module(void)
{
	struct totals totals;
	struct reader r;

	open_session(&r);
	add_usual(r.fd, "fargs_r_tail", SILENT);
	add_usual(r.fd, "__x64_sys_getppid", 0);
	must_start(&r);
	must(system("rmmod fargs_target") ? -EBUSY : 0, "rmmod");
	syscall(SYS_getppid);
	totals = reader_totals(&r);
	ktap_ok(totals.nr_dropped == 1 && totals.state == FARGS_STATE_RUNNING && !totals.produced,
		"%s: after the scope's module is unloaded no call is in scope", how);
	must(session_stop(r.fd), "STOP");
	must_start(&r);
	syscall(SYS_getppid);
	must(session_stop(r.fd), "STOP");
	ktap_ok(!reader_totals(&r).produced, "%s: after the next START no call is in scope", how);
	reader_close(&r);
	target_load_again();
}

static void run_all(void)
{
	size_t i;

	test_depth();
	for (i = 0; i < PATHS; i++)
		test_others(i);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		test_interrupts(&kinds[i]);
	test_sleeping();
	test_maxactive();
	test_stop();
	test_stale_returns();
	test_dying();
	test_fork();
	test_module();
}

static void test_info(void)
{
	struct fargs_info info = { 0 };
	int fd = device_open();

	must(call(fd, FARGS_IOC_INFO, &info), "INFO");
	ktap_ok(info.features & FARGS_FEATURE_SCOPE, "INFO reports that scopes are supported");
	close(fd);
}

int main(void)
{
	ktap_begin("abi_scope");
	need_session_test();
	test_info();
	test_refused();
	must(find_idle(many_addrs, MANY) == MANY ? 0 : -ENOENT, "functions that nobody calls");
	how = "few functions";
	run_all();
	if (!is_old_kernel()) {
		how = "many functions";
		is_many = true;
		run_all();
	}
	return ktap_end();
}
