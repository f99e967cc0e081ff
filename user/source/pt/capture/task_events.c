// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/task_events.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"

unsigned long fargs_pt_tasks_flags(const struct fargs_pt_tasks *tasks)
{
	return tasks->is_cgroup ? PERF_FLAG_PID_CGROUP : 0;
}

void fargs_pt_tasks_set(const struct fargs_pt_tasks *tasks, struct perf_event_attr *attr)
{
	attr->inherit = tasks->nr && tasks->inherit != FARGS_PT_ALONE;
	attr->inherit_thread = tasks->nr && tasks->inherit == FARGS_PT_THREADS;
}

static int add_event(struct fargs_pt_more_events *more, pid_t tid, int fd, int output)
{
	struct fargs_pt_task_event *to;
	int code;

	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, output)) {
		code = errno;
		close(fd);
		return -code;
	}
	to = fargs_array_add(more->events, more->nr);
	if (!to) {
		close(fd);
		return -ENOMEM;
	}
	*to = (struct fargs_pt_task_event){ fd, tid };
	return 0;
}

int fargs_pt_more_events_open(struct fargs_pt_more_events *more,
			      const struct fargs_pt_tasks *tasks, size_t from,
			      const struct perf_event_attr *attr, unsigned int cpu, int output,
			      const char *name, const struct fargs_pt_log *log)
{
	size_t i;
	int fd, ret = 0;

	for (i = from; !ret && i < tasks->nr; i++) {
		fd = fargs_pt_event_open(attr, tasks->ids[i], cpu, -1, fargs_pt_tasks_flags(tasks),
					 name, log);
		if (fd >= 0)
			ret = add_event(more, tasks->ids[i], fd, output);
		else if (errno != ESRCH)
			ret = -errno;
	}
	return ret;
}

uint64_t fargs_pt_more_events_lost(const struct fargs_pt_more_events *more)
{
	struct { uint64_t value, lost; } counts;
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < more->nr; i++)
		if (read(more->events[i].fd, &counts, sizeof(counts)) == sizeof(counts))
			lost += counts.lost;
	return lost;
}

static bool has_hung_up(int fd)
{
	struct pollfd state = { .fd = fd };

	return poll(&state, 1, 0) > 0 && state.revents & POLLHUP;
}

int fargs_pt_task_events_poll(int first, const struct fargs_pt_more_events *more)
{
	size_t i;

	if (!has_hung_up(first))
		return first;
	for (i = 0; i < more->nr; i++)
		if (!has_hung_up(more->events[i].fd))
			return more->events[i].fd;
	return -1;
}

void fargs_pt_more_events_close(struct fargs_pt_more_events *more)
{
	while (more->nr)
		close(more->events[--more->nr].fd);
	free(more->events);
	more->events = NULL;
}
