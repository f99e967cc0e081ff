/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of tasks on a CPU. perf_event_open(2) opens an event of one task on one CPU; those of
 * further tasks write to the ring and the AUX area of the first.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_TASK_EVENTS_H
#define FARGS_SOURCE_PT_CAPTURE_TASK_EVENTS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "source/pt/capture/event.h"

/* What is traced of the tasks that a task starts. */
enum fargs_pt_inherit {
	FARGS_PT_ALONE,		/* nothing */
	FARGS_PT_THREADS,
	FARGS_PT_CHILDREN,	/* threads and processes */
};

struct fargs_pt_tasks {
	const pid_t *ids;	/* thread ids */
	size_t nr;		/* 0: all tasks of the machine are traced */
	bool is_cgroup;		/* the only element of @ids is a descriptor of a cgroup */
	enum fargs_pt_inherit inherit;
	bool is_on_exec;	/* the trace begins when a task executes a program */
};

struct fargs_pt_task_event {
	int fd;
	pid_t tid;
};

/* Initialize with zeroes. */
struct fargs_pt_more_events {
	struct fargs_pt_task_event *events;
	size_t nr;
};

/* Returns the flags of perf_event_open(2) with which an element of @tasks->ids is opened. */
unsigned long fargs_pt_tasks_flags(const struct fargs_pt_tasks *tasks);
/* Sets what @attr says about the tasks that are started later. */
void fargs_pt_tasks_set(const struct fargs_pt_tasks *tasks, struct perf_event_attr *attr);

/*
 * Opens the event @name of each task from index @from on, on CPU @cpu; tasks that have exited are
 * left out. @output: the first event, whose ring is mapped. Returns 0 or -errno; in either case the
 * caller must call fargs_pt_more_events_close().
 */
int fargs_pt_more_events_open(struct fargs_pt_more_events *more,
			      const struct fargs_pt_tasks *tasks, size_t from,
			      const struct perf_event_attr *attr, unsigned int cpu, int output,
			      const char *name, const struct fargs_pt_log *log);
/* Returns the number of records that these events lost. */
uint64_t fargs_pt_more_events_lost(const struct fargs_pt_more_events *more);
/*
 * Returns a descriptor to poll for records in the ring of @first and @more: of an event whose task
 * exists, since the others always report POLLHUP. -1, which poll(2) ignores: there is none.
 */
int fargs_pt_task_events_poll(int first, const struct fargs_pt_more_events *more);
void fargs_pt_more_events_close(struct fargs_pt_more_events *more);

#endif
