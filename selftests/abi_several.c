// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests sessions that trace the same function at the same time, and start and stop while it is
 * called: each must record every call from its START to its STOP once.
 *
 *	abi_several [--steps N]
 *
 * A task calls fargs_n_number() of samples/target with consecutive numbers. So the numbers that a
 * session has recorded must be consecutive, whatever other sessions do. --steps: how often a random
 * session is started or stopped (default 60).
 */
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/calls.h"

#define FUNCTION	"fargs_n_number"
#define RING_BYTES	(8u << 20)
#define RECORDS_MAX	200000u
#define BATCH		10	/* numbers with which the function is called at once */
#define SESSIONS	6
#define ROUNDS		4

/* How a session records the calls. */
enum kind {
	PLAIN,
	FETCH,		/* with a program that accepts each call */
	EVEN,		/* with a program that accepts even numbers */
	OTHER_TASK,	/* only of a task that makes no calls */
	OUT_OF_SCOPE,	/* only in scope of a function that is not called */
	KINDS,
};

static const char *const kind_names[KINDS] = {
	"plain", "with a program", "even numbers", "of another task", "out of scope",
};

struct session {
	struct reader reader;
	enum kind kind;
	bool is_running;
	uint64_t first, last;	/* numbers that must have been recorded: the others may */
};

/* What the task that makes the calls shares with the test. */
struct shared {
	uint64_t next;		/* all numbers below have been passed to the function */
	bool is_over;
};

static struct shared *shared;
static const struct fargs_record *records[RECORDS_MAX];
static uint64_t numbers[RECORDS_MAX];

static pid_t fork_caller(void)
{
	pid_t pid = fork();
	char command[64];
	uint64_t next = 0;

	must(pid < 0 ? -errno : 0, "fork");
	if (pid)
		return pid;
	while (!__atomic_load_n(&shared->is_over, __ATOMIC_RELAXED)) {
		snprintf(command, sizeof(command), "number %llu %u", (unsigned long long)next,
			 BATCH);
		must(target_call(command), command);
		next += BATCH;
		__atomic_store_n(&shared->next, next, __ATOMIC_RELEASE);
		usleep(1000);
	}
	_exit(0);
}

static uint64_t passed(void)
{
	return __atomic_load_n(&shared->next, __ATOMIC_ACQUIRE);
}

/* Waits until calls that begin now have been made. */
static void await_calls(void)
{
	uint64_t from = passed();

	while (passed() < from + 3 * BATCH)
		usleep(500);
}

static void open_kind(struct session *s, enum kind kind)
{
	struct maker m;

	s->kind = kind;
	reader_open(&s->reader, RING_BYTES);
	maker_init(&m, symbol_address(FUNCTION), 0);
	maker_reg(&m, "number", FARGS_TYPE_U64, 0);
	if (kind == EVEN) {
		maker_insn(&m, FARGS_PROG_ENTRY_PREDICATE,
			   (struct fargs_insn){ .op = FARGS_OP_ARG, .dst = 0, .arg = 0 });
		maker_insn(&m, FARGS_PROG_ENTRY_PREDICATE,
			   (struct fargs_insn){ .op = FARGS_OP_AND, .dst = 0, .imm = 1 });
		maker_insn(&m, FARGS_PROG_ENTRY_PREDICATE,
			   (struct fargs_insn){ .op = FARGS_OP_JIF, .dst = 0,
						.arg = FARGS_COND_EQ, .off = 1, .imm = 0 });
		maker_insn(&m, FARGS_PROG_ENTRY_PREDICATE,
			   (struct fargs_insn){ .op = FARGS_OP_REJECT });
	}
	if (kind == EVEN || kind == FETCH)
		maker_insn(&m, FARGS_PROG_ENTRY_PREDICATE,
			   (struct fargs_insn){ .op = FARGS_OP_ACCEPT });
	must(maker_add(s->reader.fd, &m), "ADD of " FUNCTION);
	if (kind != OUT_OF_SCOPE)
		return;
	maker_init(&m, symbol_address("fargs_r_depth"),
		   FARGS_LAYOUT_SCOPE | FARGS_LAYOUT_SILENT);
	must(maker_add(s->reader.fd, &m), "ADD of a scope");
}

static void begin(struct session *s, enum kind kind)
{
	int32_t tid = getpid();
	struct fargs_start start = { };

	open_kind(s, kind);
	if (kind == OTHER_TASK) {
		start.flags = FARGS_START_TASKS;
		start.nr_tids = 1;
		start.tids = (uintptr_t)&tid;
	}
	must(call(s->reader.fd, FARGS_IOC_START, &start), "START");
	s->is_running = true;
	/* The batch that is being called now may have begun before START. */
	s->first = passed() + BATCH;
}

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Stops and closes a session. Returns whether it has recorded what it must: every number from
 * s->first to s->last, none twice, and none missing between others.
 */
static bool end(struct session *s)
{
	const uint64_t step = s->kind == EVEN ? 2 : 1;
	uint64_t nr, i, nr_wrong = 0;
	struct totals totals;
	bool is_right;

	s->last = passed() - 1;
	must(session_stop(s->reader.fd), "STOP");
	s->is_running = false;
	totals = reader_totals(&s->reader);
	nr = reader_peek(&s->reader, records, RECORDS_MAX);
	for (i = 0; i < nr; i++) {
		numbers[i] = record_find(records[i], "number").low;
		/* The caller has preemption enabled, and the tracer does not show its own part. */
		nr_wrong += !!(records[i]->preempt & FARGS_PREEMPT_DEPTH);
	}
	qsort(numbers, nr, sizeof(*numbers), compare_numbers);
	for (i = 1; i < nr; i++)
		nr_wrong += numbers[i] != numbers[i - 1] + step;
	if (s->kind == OTHER_TASK || s->kind == OUT_OF_SCOPE)
		is_right = !nr;
	else
		is_right = !nr_wrong && !totals.lost &&
			   (s->last <= s->first + step ||
			    (nr && nr < RECORDS_MAX && numbers[0] <= s->first + step - 1 &&
			     numbers[nr - 1] + step > s->last));
	if (!is_right)
		ktap_note("%s: %llu records, %llu..%llu, not %llu..%llu; %llu wrong, %llu lost",
			  kind_names[s->kind], (unsigned long long)nr,
			  (unsigned long long)(nr ? numbers[0] : 0),
			  (unsigned long long)(nr ? numbers[nr - 1] : 0),
			  (unsigned long long)s->first, (unsigned long long)s->last,
			  (unsigned long long)nr_wrong, (unsigned long long)totals.lost);
	reader_close(&s->reader);
	return is_right;
}

/* Returns how many ftrace_ops trace the function now. */
static unsigned int nr_ops(void)
{
	FILE *functions = fopen("/sys/kernel/tracing/enabled_functions", "re");
	unsigned int nr = 0;
	char line[1024];

	while (functions && fgets(line, sizeof(line), functions))
		sscanf(line, FUNCTION " [fargs_target] (%u)", &nr);
	if (functions)
		fclose(functions);
	return nr;
}

/* One session goes on while others come and go. */
static void test_pairs(enum kind kind)
{
	struct session watch, other;
	unsigned int other_kind, round, nr_right = 0, most = 0, nr;
	bool is_right;

	begin(&watch, kind);
	for (other_kind = 0; other_kind < KINDS; other_kind++) {
		for (round = 0; round < ROUNDS; round++) {
			begin(&other, other_kind);
			await_calls();
			nr = nr_ops();
			most = nr > most ? nr : most;
			nr_right += end(&other);
		}
	}
	await_calls();
	is_right = end(&watch);
	ktap_ok(nr_right == KINDS * ROUNDS, "sessions beside a session %s have every call once",
		kind_names[kind]);
	ktap_ok(is_right, "a session %s has every call once while others start and stop",
		kind_names[kind]);
	if (!ktap_ok(most == 1, "%s: all sessions share one ftrace_ops", kind_names[kind]))
		ktap_note("%u", most);
}

/* The session that began to trace the function stops first. */
static void test_chain(void)
{
	static const enum kind kinds[] = { PLAIN, FETCH, FETCH, PLAIN, EVEN, PLAIN, PLAIN, FETCH };
	const size_t nr = sizeof(kinds) / sizeof(*kinds);
	struct session two[2];
	size_t i, nr_right = 0;

	begin(&two[0], kinds[0]);
	for (i = 1; i < nr; i++) {
		begin(&two[i & 1], kinds[i]);
		await_calls();
		nr_right += end(&two[!(i & 1)]);
		await_calls();
	}
	nr_right += end(&two[!(i & 1)]);
	ktap_ok(nr_right == nr, "sessions that overlap in turn have every call once");
}

static void test_random(unsigned int steps)
{
	struct session all[SESSIONS] = { };
	unsigned int i, nr = 0, nr_right = 0;

	for (i = 0; i < steps; i++) {
		struct session *s = &all[rand() % SESSIONS];

		if (s->is_running) {
			nr++;
			nr_right += end(s);
		} else {
			begin(s, rand() % KINDS);
		}
		if (rand() & 1)
			await_calls();
	}
	for (i = 0; i < SESSIONS; i++) {
		if (!all[i].is_running)
			continue;
		nr++;
		nr_right += end(&all[i]);
	}
	if (!ktap_ok(nr_right == nr, "%u sessions, up to %u at a time, have every call once", nr,
		     SESSIONS))
		ktap_note("%u", nr_right);
}

static void add_function(struct session *s, uint64_t addr)
{
	struct maker m;

	maker_init(&m, addr, 0);
	maker_reg(&m, "arg", FARGS_TYPE_U64, 0);
	must(maker_add(s->reader.fd, &m), "ADD of a function of the kernel");
}

/* The module with the function is unloaded, while both sessions also trace another function. */
static void test_module(void)
{
	unsigned long before = nr_traced(), during, left;
	struct session two[2];
	uint64_t other;
	size_t i;

	must(find_idle(&other, 1) ? 0 : -ENOENT, "a function that is not called");
	for (i = 0; i < 2; i++) {
		open_kind(&two[i], i ? FETCH : PLAIN);
		add_function(&two[i], other);
		must(session_start(two[i].reader.fd), "START");
	}
	must(target_call("number 0 10"), "calls");
	during = nr_traced();
	must(syscall(SYS_delete_module, "fargs_target", O_NONBLOCK) ? -errno : 0, "delete_module");
	left = nr_traced();
	ktap_ok(during == before + 2 && left == before + 1 && !is_traced(FUNCTION),
		"several sessions: functions of an unloaded module are no longer traced");
	must(session_stop(two[0].reader.fd), "STOP of the first");
	left = nr_traced();
	must(session_stop(two[1].reader.fd), "STOP of the second");
	ktap_ok(left == before + 1 && nr_traced() == before,
		"the other function is traced until the last session stops");
	for (i = 0; i < 2; i++) {
		if (reader_peek(&two[i].reader, records, RECORDS_MAX) != 10)
			break;
	}
	ktap_ok(i == 2, "both sessions have the calls from before");
	for (i = 0; i < 2; i++)
		reader_close(&two[i].reader);
	target_load_again();
}

int main(int argc, char **argv)
{
	unsigned int steps = 60;
	unsigned long before;
	pid_t caller;

	ktap_begin("abi_several");
	if (argc == 3 && !strcmp(argv[1], "--steps"))
		steps = strtoul(argv[2], NULL, 0);
	else if (argc != 1)
		ktap_skip_all("usage: abi_several [--steps N]");
	need_session_test();
	before = nr_traced();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	must(shared == MAP_FAILED ? -errno : 0, "mmap");
	caller = fork_caller();
	test_pairs(PLAIN);
	test_pairs(FETCH);
	test_chain();
	test_random(steps);
	shared->is_over = true;
	must(waitpid(caller, NULL, 0) < 0 ? -errno : 0, "waitpid");
	ktap_ok(nr_traced() == before, "no function is traced after all sessions have stopped");
	test_module();
	return ktap_end();
}
