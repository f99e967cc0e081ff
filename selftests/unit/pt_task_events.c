// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that events of several tasks write to one ring: with the kernel's dummy event, which
 * reports the names that the tasks give themselves. Skipped if perf events are not permitted.
 */
#include "ktap.h"

#include <errno.h>
#include <signal.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/perf_ring.h"
#include "source/pt/capture/task_events.h"

#define TASKS	3

static pid_t tids[TASKS];
static int gates[TASKS];
static const struct fargs_pt_log no_log;

/* The child changes its name on CPU 0 when the gate is closed; so does a child of it. */
static void begin_task(size_t i)
{
	cpu_set_t cpus;
	int ends[2];
	char byte;

	if (pipe(ends))
		abort();
	tids[i] = fork();
	if (!tids[i]) {
		close(ends[1]);
		CPU_ZERO(&cpus);
		CPU_SET(0, &cpus);
		sched_setaffinity(0, sizeof(cpus), &cpus);
		if (read(ends[0], &byte, 1) != 1)
			_exit(1);
		prctl(PR_SET_NAME, "renamed");
		if (!fork()) {
			prctl(PR_SET_NAME, "child");
			_exit(0);
		}
		wait(NULL);
		_exit(0);
	}
	close(ends[0]);
	gates[i] = ends[1];
}

struct seen {
	unsigned int nr_tasks, nr_children;
};

static int see(void *arg, const void *record, size_t bytes)
{
	const struct perf_event_header *head = record;
	struct seen *seen = arg;

	(void)bytes;
	if (head->type != PERF_RECORD_COMM)
		return 0;
	seen->nr_tasks += !strcmp((const char *)record + 16, "renamed");
	seen->nr_children += !strcmp((const char *)record + 16, "child");
	return 0;
}

/* Returns what is seen of the tasks; of none of them if perf events are not permitted. */
static struct seen record(enum fargs_pt_inherit inherit)
{
	const struct fargs_pt_tasks tasks = { .ids = tids, .nr = TASKS, .inherit = inherit };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr),
		.comm = 1, .sample_id_all = 1, .exclude_kernel = 1, .exclude_hv = 1,
		.read_format = PERF_FORMAT_LOST,
	};
	struct fargs_pt_more_events more = { };
	struct fargs_perf_ring ring = { };
	struct seen seen = { 0, 0 };
	size_t i;
	int fd;

	for (i = 0; i < TASKS; i++)
		begin_task(i);
	fargs_pt_tasks_set(&tasks, &attr);
	fd = fargs_pt_event_open(&attr, tids[0], 0, -1, 0, "dummy", &no_log);
	if (fd >= 0) {
		CHECK_INT(fargs_perf_ring_map(&ring, fd, 4096), 0);
		CHECK_INT(fargs_pt_more_events_open(&more, &tasks, 1, &attr, 0, fd, "dummy",
						    &no_log), 0);
		CHECK_INT(more.nr, TASKS - 1);
	}
	for (i = 0; i < TASKS; i++) {
		if (write(gates[i], "x", 1) != 1)
			abort();
		close(gates[i]);
		waitpid(tids[i], NULL, 0);
	}
	if (fd < 0)
		return seen;
	CHECK_INT(fargs_perf_ring_read(&ring, see, &seen), 0);
	CHECK_INT(fargs_pt_more_events_lost(&more), 0);
	fargs_pt_more_events_close(&more);
	fargs_perf_ring_unmap(&ring);
	close(fd);
	return seen;
}

static bool may_record(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr),
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	int fd = fargs_pt_event_open(&attr, 0, 0, -1, 0, "dummy", &no_log);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void writes_to_one_ring(void)
{
	struct seen seen = record(FARGS_PT_ALONE);

	if (!may_record())
		return;
	CHECK_INT(seen.nr_tasks, TASKS);
	CHECK_INT(seen.nr_children, 0);
}

static void inherits(void)
{
	if (!may_record())
		return;
	CHECK_INT(record(FARGS_PT_THREADS).nr_children, 0);
	CHECK_INT(record(FARGS_PT_CHILDREN).nr_children, TASKS);
}

static void end_task(size_t i)
{
	if (write(gates[i], "x", 1) != 1)
		abort();
	close(gates[i]);
	waitpid(tids[i], NULL, 0);
}

static void polls_tasks_that_exist(void)
{
	const struct fargs_pt_tasks tasks = { .ids = tids, .nr = 2 };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr),
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	struct fargs_pt_more_events more = { };
	struct fargs_perf_ring ring = { };
	int fd;

	if (!may_record())
		return;
	begin_task(0);
	begin_task(1);
	fd = fargs_pt_event_open(&attr, tids[0], 0, -1, 0, "dummy", &no_log);
	CHECK_INT(fargs_perf_ring_map(&ring, fd, 4096), 0);
	CHECK_INT(fargs_pt_more_events_open(&more, &tasks, 1, &attr, 0, fd, "dummy", &no_log), 0);
	CHECK_INT(fargs_pt_task_events_poll(fd, &more), fd);
	end_task(0);
	CHECK_INT(fargs_pt_task_events_poll(fd, &more), more.events[0].fd);
	end_task(1);
	CHECK_INT(fargs_pt_task_events_poll(fd, &more), -1);
	fargs_pt_more_events_close(&more);
	fargs_perf_ring_unmap(&ring);
	close(fd);
}

static void leaves_out_tasks_that_have_exited(void)
{
	const pid_t gone[] = { 1 << 30, (1 << 30) + 1 };
	const struct fargs_pt_tasks tasks = { .ids = gone, .nr = 2 };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr),
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	struct fargs_pt_more_events more = { };

	if (!may_record())
		return;
	CHECK_INT(fargs_pt_more_events_open(&more, &tasks, 0, &attr, 0, -1, "dummy",
					    &no_log), 0);
	CHECK_INT(more.nr, 0);
	fargs_pt_more_events_close(&more);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "the events of tasks write to one ring", writes_to_one_ring },
		{ "children are recorded if they inherit", inherits },
		{ "events of tasks that exist are polled", polls_tasks_that_exist },
		{ "tasks that have exited are left out", leaves_out_tasks_that_have_exited },
	};

	if (!may_record())
		printf("# perf events are not permitted: nothing is tested\n");
	return KTAP_RUN(tests);
}
