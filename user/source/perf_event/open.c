// SPDX-License-Identifier: GPL-2.0-only
/* Opens the events of a recording, CPU by CPU. */
#include "source/perf_event/state.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "source/perf_event/filter.h"
#include "source/perf_event/sample.h"

/* inherit_thread needs kernel headers of Linux 5.13 or later; those of Debian 12 are newer. */
_Static_assert(sizeof(struct perf_event_attr) >= PERF_ATTR_SIZE_VER7, "inherit_thread");

static int perf_event_open(const struct perf_event_attr *attr, pid_t tid, int cpu, int output)
{
	return syscall(SYS_perf_event_open, attr, tid, cpu, output, PERF_FLAG_FD_CLOEXEC |
		       (output >= 0 ? PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT : 0));
}

static void set_attr(const struct fargs_perf *p, struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.sample_type = FARGS_SAMPLE_TYPE,
		.read_format = PERF_FORMAT_LOST,
		.sample_id_all = 1,
		.disabled = 1,
		.enable_on_exec = p->options->is_on_exec,
		.watermark = 1,
		.use_clockid = p->options->is_monotonic,
		.clockid = p->options->is_monotonic ? CLOCK_MONOTONIC : 0,
		.wakeup_watermark = p->options->ring_bytes / 4,
	};
}

static void set_inherit(struct perf_event_attr *attr, const struct fargs_perf_task *task)
{
	attr->inherit = task && task->inherit != FARGS_PERF_ALONE;
	attr->inherit_thread = task && task->inherit == FARGS_PERF_THREADS;
}

/*
 * @match: the event that could not be opened; NULL: the event of open_names() or of
 * fargs_perf_test().
 */
static int fail_open(const struct fargs_event_match *match, int code, struct fargs_error_text *err)
{
	char what[160] = "events";

	if (match)
		snprintf(what, sizeof(what), "'%s:%s'", match->event->system, match->event->name);
	switch (code) {
	case EACCES:
	case EPERM:
		return fargs_fail(err, code, "recording %s is not permitted: it needs CAP_PERFMON "
				  "(if kernel.perf_event_paranoid is 3, CAP_SYS_ADMIN) and a "
				  "kernel that is not locked down: run as root", what);
	case EMFILE:
	case ENFILE:
		return fargs_fail(err, code, "cannot record %s: too many open files: select "
				  "fewer events, CPUs or tasks, or raise the limit (ulimit "
				  "-n)", what);
	default:
		return fargs_fail(err, code, "cannot record %s: %s", what, strerror(code));
	}
}

int fargs_perf_test(struct fargs_error_text *err)
{
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
	};
	int cpu = sched_getcpu();
	int fd = perf_event_open(&attr, -1, cpu < 0 ? 0 : cpu, -1);

	if (fd < 0)
		return fail_open(NULL, errno, err);
	close(fd);
	return 0;
}

static int fail_filter(const struct fargs_perf *p, const struct fargs_event_match *match,
		       const char *text, int code, struct fargs_error_text *err)
{
	const char *filter = match->filter ? match->filter : text;
	char why[160];

	fargs_tracefs_complaint(p->selection->dir, match->event, filter, why, sizeof(why));
	return fargs_fail(err, code, "'--filter': '%s:%s' rejects '%s': %s", match->event->system,
			  match->event->name, filter, *why ? why : strerror(code));
}

static int set_filter(const struct fargs_perf *p, int fd, const struct fargs_event_match *match,
		      struct fargs_error_text *err)
{
	const char *const filters[] = { match->filter, p->options->and_filter, p->others };
	char *text = fargs_perf_join_filters(filters, 3);
	int ret = 0;

	if (!text)
		return fargs_fail(err, ENOMEM, "no memory for filters");
	if (*text && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text))
		ret = fail_filter(p, match, text, errno, err);
	free(text);
	return ret;
}

static int add_fd(struct fargs_perf_cpu *cpu, int fd, struct fargs_error_text *err)
{
	int *fds;

	/* The array grows when nr_fds is a power of two, so its size need not be stored. */
	if (!(cpu->nr_fds & (cpu->nr_fds - 1))) {
		fds = realloc(cpu->fds, (cpu->nr_fds ? 2 * cpu->nr_fds : 1) * sizeof(*fds));
		if (!fds) {
			close(fd);
			return fargs_fail(err, ENOMEM, "no memory for events");
		}
		cpu->fds = fds;
	}
	cpu->fds[cpu->nr_fds++] = fd;
	return 0;
}

/* Opens an event on CPU @nr, for @task or, if @task is NULL, for all tasks. */
static int open_one(struct fargs_perf *p, unsigned int nr, const struct perf_event_attr *attr,
		    const struct fargs_perf_task *task, const struct fargs_event_match *match,
		    struct fargs_error_text *err)
{
	struct fargs_perf_cpu *cpu = &p->cpus[nr];
	int fd = perf_event_open(attr, task ? task->tid : -1, nr, cpu->nr_fds ? cpu->fds[0] : -1);
	int ret;

	/* It is not an error if the task has ended or the CPU has gone offline. */
	if (fd < 0)
		return errno == ESRCH || (errno == ENODEV && !task) ? -errno :
		       fail_open(match, errno, err);
	ret = add_fd(cpu, fd, err);
	if (ret || cpu->nr_fds > 1)
		return ret;
	ret = fargs_perf_ring_map(&cpu->ring, fd, p->options->ring_bytes);
	return ret ? fargs_fail(err, -ret, "not enough memory for a buffer of %llu bytes for "
				"events on each CPU: give a smaller size with '-m'",
				(unsigned long long)p->options->ring_bytes) : 0;
}

/* Opens the event that reports names and forks of tasks. */
static int open_names(struct fargs_perf *p, unsigned int nr, const struct fargs_perf_task *task,
		      struct fargs_error_text *err)
{
	struct fargs_perf_cpu *cpu = &p->cpus[nr];
	struct perf_event_attr attr;
	size_t *index;
	int ret;

	set_attr(p, &attr);
	set_inherit(&attr, task);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.sample_period = 1;
	attr.comm = 1;
	attr.task = 1;
	ret = open_one(p, nr, &attr, task, NULL, err);
	if (ret)
		return ret;
	index = fargs_array_add(cpu->names, cpu->nr_names);
	if (!index)
		return fargs_fail(err, ENOMEM, "no memory for events");
	*index = cpu->nr_fds - 1;
	return 0;
}

/*
 * Marks event @i as refused by perf. For example, perf refuses to sample events that sampling
 * itself triggers, such as irq_work_exit.
 */
static int refuse(struct fargs_perf *p, unsigned int nr, size_t i, int ret,
		  struct fargs_error_text *err)
{
	struct fargs_error_text why = *err;

	if (p->is_settled)
		return fargs_fail(err, -ret, "%s (on CPU %u, but not on the CPUs before it)",
				  why.text, nr);
	p->is_refused[i] = true;
	p->refusal = why;
	return 0;
}

static int open_event(struct fargs_perf *p, unsigned int nr, const struct fargs_perf_task *task,
		      size_t i, struct fargs_error_text *err)
{
	const struct fargs_event_match *match = &p->selection->matches[i];
	struct fargs_perf_cpu *cpu = &p->cpus[nr];
	struct perf_event_attr attr;
	size_t before = cpu->nr_fds;
	int ret;

	set_attr(p, &attr);
	set_inherit(&attr, task);
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = match->id;
	/*
	 * With PERF_SAMPLE_PERIOD and a period of 1, perf writes one sample for each hit, even if
	 * the hit adds more than 1 to the event's count.
	 */
	attr.sample_period = 1;
	ret = open_one(p, nr, &attr, task, match, err);
	if ((ret == -EINVAL || ret == -EOPNOTSUPP || ret == -ENOENT || ret == -EPERM ||
	     ret == -EACCES) && !match->is_exact && cpu->nr_fds == before)
		return refuse(p, nr, i, ret, err);
	return ret ? ret : set_filter(p, cpu->fds[cpu->nr_fds - 1], match, err);
}

/* Opens all events for @task on a CPU. */
static int open_task(struct fargs_perf *p, unsigned int nr, const struct fargs_perf_task *task,
		     struct fargs_error_text *err)
{
	int ret = p->options->has_names ? open_names(p, nr, task, err) : 0;
	size_t i;

	for (i = 0; !ret && i < p->selection->nr; i++)
		if (!p->is_refused[i])
			ret = open_event(p, nr, task, i, err);
	p->is_settled |= !ret;
	return ret == -ESRCH ? 0 : ret;
}

uint64_t fargs_perf_read_lost(const struct fargs_perf_cpu *cpu)
{
	struct { uint64_t value, lost; } counts;
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < cpu->nr_fds; i++)
		if (read(cpu->fds[i], &counts, sizeof(counts)) == sizeof(counts))
			lost += counts.lost;
	return lost;
}

void fargs_perf_close_cpu(struct fargs_perf_cpu *cpu)
{
	cpu->lost += fargs_perf_read_lost(cpu);
	fargs_perf_ring_unmap(&cpu->ring);
	while (cpu->nr_fds)
		close(cpu->fds[--cpu->nr_fds]);
	free(cpu->fds);
	free(cpu->names);
	cpu->fds = NULL;
	cpu->names = NULL;
	cpu->nr_names = 0;
	cpu->polled = 0;
}

int fargs_perf_open_cpu(struct fargs_perf *p, unsigned int nr, struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < p->options->nr_tasks; i++)
		ret = open_task(p, nr, &p->options->tasks[i], err);
	if (p->options->nr_tasks)
		return ret;
	ret = open_task(p, nr, NULL, err);
	if (ret != -ENODEV)
		return ret;
	fargs_perf_close_cpu(&p->cpus[nr]);
	p->cpus[nr].is_online = false;
	return 0;
}
