/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The chosen events, recorded by perf_event_open(2): a buffer for each CPU, which takes all
 * events of all tasks there, on the perf clock.
 *
 * Of all tasks: each event on each CPU that is online; CPUs that come are taken in. Of some:
 * each event of each task on each CPU that may come, inherited as its kind says.
 */
#ifndef FARGS_SOURCE_PERF_EVENT_PERF_H
#define FARGS_SOURCE_PERF_EVENT_PERF_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "model/meta.h"
#include "source/perf_event/selection.h"

enum fargs_perf_inherit {
	FARGS_PERF_ALONE,	/* the task */
	FARGS_PERF_THREADS,	/* and threads that it starts, and these start */
	FARGS_PERF_CHILDREN,	/* and all that it forks */
};

struct fargs_perf_task {
	pid_t tid;
	enum fargs_perf_inherit inherit;
};

struct fargs_perf_options {
	const struct fargs_perf_task *tasks;
	size_t nr_tasks;		/* 0: all tasks but the threads of this process */
	const bool *cpus;		/* of nr_cpus: which are wanted; NULL: all */
	unsigned int nr_cpus;		/* that are possible */
	uint64_t ring_bytes;
	/*
	 * By CLOCK_MONOTONIC, and what fargs_perf_set_offset adds: where the kernel does not
	 * trust the TSC perf's own clock stays behind, and CPUs differ.
	 */
	bool is_monotonic;
	bool has_names;			/* and how tasks come and are called */
	const char *and_filter;		/* holds for all events as well; NULL: none */
};

struct fargs_perf;

/*
 * Opens them, stopped. @c and what @o points to must outlive it. Events chosen by a glob
 * that perf does not record are left out: *@nr_refused of them. NULL with @err.
 */
struct fargs_perf *fargs_perf_open(const struct fargs_event_selection *c,
				   const struct fargs_perf_options *o, size_t *nr_refused,
				   struct fargs_error_text *err);
void fargs_perf_close(struct fargs_perf *p);

/* -errno. When stop returns no event is recorded any more. */
int fargs_perf_start(struct fargs_perf *p, struct fargs_error_text *err);
int fargs_perf_stop(struct fargs_perf *p, struct fargs_error_text *err);

/*
 * What to poll for: at most one for each CPU, none for one where all tasks have ended. How
 * many were put into @fds.
 */
size_t fargs_perf_poll(const struct fargs_perf *p, struct pollfd *fds, size_t room);
/* What poll(2) has said of these @nr: to be told before the next time. */
void fargs_perf_polled(struct fargs_perf *p, const struct pollfd *fds, size_t nr);

/* Of events that are read from now on, if they are dated by CLOCK_MONOTONIC. */
void fargs_perf_set_offset(struct fargs_perf *p, int64_t offset_ns);

/* Gets records of a CPU (model/event_record.h), in order. Anything but 0 ends the reading. */
typedef int (*fargs_perf_fn)(void *arg, unsigned int cpu, const void *records, size_t bytes);
/*
 * Reads all buffers, and hands on what was there at the last turn; everything if @is_last.
 * 0, what @fn returned, -EIO for a buffer that makes no sense, or -ENOMEM.
 */
int fargs_perf_read(struct fargs_perf *p, bool is_last, fargs_perf_fn fn, void *arg);

/* After a reading: the time of the first of those that wait (ns); UINT64_MAX: none does. */
uint64_t fargs_perf_held_ns(const struct fargs_perf *p);

/*
 * Takes in CPUs that came since: calls @tell for each CPU that came or went, then records
 * go on. -errno with @err.
 */
typedef void (*fargs_perf_cpu_fn)(void *arg, unsigned int cpu, bool has_come);
int fargs_perf_follow_cpus(struct fargs_perf *p, fargs_perf_cpu_fn tell, void *arg,
			   struct fargs_error_text *err);

/* After the stop and the last read: a copy of what each CPU lost. NULL: no memory. */
struct fargs_event_stats *fargs_perf_stats(struct fargs_perf *p);

#endif
