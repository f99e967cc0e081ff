// SPDX-License-Identifier: GPL-2.0-only
/* Tests how a request is translated to perf_event_open(), and which clock is used. */
#include "capture/events.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/ktap.h"

#define CPUS	8

static struct fargs_events ev;
static struct fargs_capture_error err;
static struct fargs_meta meta;
static size_t nr_refused;

/* The options that were passed to perf. */
static struct fargs_perf_options asked;
static int64_t offset_ns;
static unsigned int nr_offsets;

struct fargs_perf *__wrap_fargs_perf_open(const struct fargs_event_selection *c,
					  const struct fargs_perf_options *o, size_t *refused,
					  struct fargs_error_text *why);
void __wrap_fargs_perf_close(struct fargs_perf *p);
void __wrap_fargs_perf_set_offset(struct fargs_perf *p, int64_t ns);

struct fargs_perf *__wrap_fargs_perf_open(const struct fargs_event_selection *c,
					  const struct fargs_perf_options *o, size_t *refused,
					  struct fargs_error_text *why)
{
	asked = *o;
	*refused = 2;
	return (void *)&asked;
}

void __wrap_fargs_perf_close(struct fargs_perf *p)
{
}

void __wrap_fargs_perf_set_offset(struct fargs_perf *p, int64_t ns)
{
	offset_ns = ns;
	nr_offsets++;
}

static int open_as(struct fargs_capture_request r, pid_t command)
{
	static struct fargs_event_rule rule = { .text = "sched:*" };

	r.events = (struct fargs_event_rules){ &rule, 1 };
	fargs_events_deinit(&ev);
	err = (struct fargs_capture_error){ };
	asked = (struct fargs_perf_options){ };
	offset_ns = 0;
	nr_offsets = 0;
	ev.selection.nr = 1;
	return fargs_events_open(&ev, &r, command, true, &meta, &nr_refused, &err);
}

#define OPEN(command, ...)	open_as((struct fargs_capture_request){ __VA_ARGS__ }, command)
#define WORDS(...)		{ (const char *[]){ __VA_ARGS__ }, \
				  sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *) }

static void set_up(void)
{
	meta = (struct fargs_meta){ .ring_bytes = 1 << 20 };
	meta.info.nr_cpus = CPUS;
	meta.info.tsc_stable = 1;
}

static void nothing_asked(void)
{
	const struct fargs_capture_request r = { .has_all = true };

	set_up();
	nr_refused = 0;
	CHECK(!fargs_events_choose(&ev, &r, NULL, &err.text));
	CHECK(!fargs_events_open(&ev, &r, 0, true, &meta, &nr_refused, &err));
	CHECK(!ev.perf);
	CHECK_INT(nr_refused, 0);
}

static void all_tasks(void)
{
	set_up();
	CHECK(!OPEN(0, .has_all = true));
	CHECK_INT(asked.nr_tasks, 0);
	CHECK_INT(asked.nr_cpus, CPUS);
	CHECK_INT(asked.ring_bytes, 1 << 20);
	CHECK(!asked.cpus);
	CHECK(!asked.and_filter);
	CHECK(asked.has_names);
	CHECK_INT(nr_refused, 2);
}

static void of_a_command(void)
{
	set_up();
	CHECK(!OPEN(17));
	REQUIRE(asked.nr_tasks == 1);
	CHECK_INT(asked.tasks[0].tid, 17);
	CHECK_INT(asked.tasks[0].inherit, FARGS_PERF_CHILDREN);
	CHECK(asked.is_on_exec);
	CHECK(!OPEN(17, .has_exec = true));
	CHECK(!asked.is_on_exec);
	CHECK(!OPEN(17, .has_all = true));
	CHECK(!asked.is_on_exec);
}

static void some_cpus(void)
{
	unsigned int cpu;

	set_up();
	/* CPUs that do not exist are ignored. */
	CHECK(!OPEN(0, .has_all = true, .cpus = WORDS("0-1,3", "6-90", "1000")));
	REQUIRE(asked.cpus);
	for (cpu = 0; cpu < CPUS; cpu++)
		CHECK_INT(asked.cpus[cpu], cpu != 2 && cpu != 4 && cpu != 5);
}

static void some_names(void)
{
	set_up();
	CHECK(!OPEN(0, .has_all = true, .comms = WORDS("cat")));
	CHECK_STR(asked.and_filter, "COMM ~ \"cat\"");
	CHECK(!OPEN(0, .has_all = true, .comms = WORDS("ba*", "c?t")));
	CHECK_STR(asked.and_filter, "COMM ~ \"ba*\" || COMM ~ \"c?t\"");
	CHECK_INT(OPEN(0, .has_all = true, .comms = WORDS("a", "b\"c")), -EINVAL);
	CHECK_INT(err.fault, FARGS_FAULT_COMMS);
	CHECK_STR(err.text.text, "'b\"c' contains a double quote, which the kernel's filters do "
		  "not support");
}

/* Checks that this process's only task is requested, with mode @inherit. */
static void check_own(enum fargs_perf_inherit inherit)
{
	REQUIRE(asked.nr_tasks == 1);
	CHECK_INT(asked.tasks[0].tid, getpid());
	CHECK_INT(asked.tasks[0].inherit, inherit);
}

static void some_tasks(void)
{
	char own[16], parent[16];

	set_up();
	snprintf(own, sizeof(own), "%d", getpid());
	snprintf(parent, sizeof(parent), "%d", getppid());
	CHECK(!OPEN(0, .has_all = true, .pids = WORDS(own)));
	check_own(FARGS_PERF_THREADS);
	CHECK(!OPEN(0, .has_all = true, .tids = WORDS(own)));
	check_own(FARGS_PERF_ALONE);
	CHECK(!OPEN(0, .is_follow = true, .pids = WORDS(own)));
	check_own(FARGS_PERF_CHILDREN);
	CHECK(!OPEN(0, .is_follow = true, .tids = WORDS(own)));
	check_own(FARGS_PERF_CHILDREN);
	/*
	 * With --follow, all named tasks are requested; without it, threads must belong to the
	 * named processes.
	 */
	CHECK(!OPEN(0, .has_all = true, .pids = WORDS(own), .tids = WORDS(own, parent)));
	check_own(FARGS_PERF_ALONE);
	CHECK_INT(OPEN(0, .has_all = true, .pids = WORDS(own), .tids = WORDS(parent)), -ESRCH);
	CHECK_INT(err.fault, FARGS_FAULT_TASKS);
}

static void task_that_has_ended(void)
{
	char gone[16];
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	snprintf(gone, sizeof(gone), "%d", pid);
	set_up();
	CHECK_INT(OPEN(0, .has_all = true, .pids = WORDS(gone)), -ESRCH);
	CHECK_INT(err.fault, FARGS_FAULT_OTHER);
	CHECK(strstr(err.text.text, "there is no process"));
}

static void add_clock(int64_t first, int64_t second, bool is_second_valid)
{
	const struct fargs_clock_sample samples[CPUS] = {
		{ .perf_ns = 1000000 + first, .mono_ns = 1000000, .is_valid = FARGS_CLOCK_VALID },
		{ .perf_ns = 2000000 + second, .mono_ns = 2000000, .is_valid = is_second_valid },
	};

	fargs_events_clock(&ev, samples, CPUS);
}

static void trusted_tsc(void)
{
	set_up();
	CHECK(!OPEN(0, .has_all = true));
	CHECK(!asked.is_monotonic);
	add_clock(5, 7, true);
	CHECK_INT(nr_offsets, 0);
}

/*
 * Tests the clock offset if the TSC is not trusted. CLOCK_MONOTONIC is read slightly after the perf
 * clock, so the largest difference of all samples is the right one.
 */
static void untrusted_tsc(void)
{
	set_up();
	meta.info.tsc_stable = 0;
	CHECK(!OPEN(0, .has_all = true));
	CHECK(asked.is_monotonic);
	add_clock(-9, 100, false);
	CHECK_INT(offset_ns, -9);
	add_clock(-20, -3, true);
	CHECK_INT(offset_ns, -3);
	add_clock(-20, -30, true);
	CHECK_INT(offset_ns, -3);
	CHECK_INT(nr_offsets, 3);
}

static void no_module(void)
{
	set_up();
	meta.info.tsc_stable = 0;
	meta.is_bare = true;
	CHECK(!OPEN(0, .has_all = true));
	CHECK(!asked.is_monotonic);
}

static const struct ktap_test tests[] = {
	{ "nothing is opened if nothing is requested", nothing_asked },
	{ "events of all tasks on all CPUs are opened", all_tasks },
	{ "events of a command and its children are opened", of_a_command },
	{ "CPUs of all lists are used", some_cpus },
	{ "task names become a filter", some_names },
	{ "inheritance differs for processes, threads and --follow", some_tasks },
	{ "a process that has exited is an error", task_that_has_ended },
	{ "a trusted TSC is perf's clock", trusted_tsc },
	{ "without a trusted TSC the largest offset is used", untrusted_tsc },
	{ "without the module perf's own clock is used", no_module },
};

int main(void)
{
	return KTAP_RUN(tests);
}
