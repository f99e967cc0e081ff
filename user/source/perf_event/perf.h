/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records the selected events by perf_event_open(2): one buffer per CPU, for all events of all
 * tasks there, on the perf clock.
 *
 * For all tasks: each event on each online CPU; CPUs that go online later are added. For some
 * tasks: each event of each task on each possible CPU, with inheritance.
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
	FARGS_PERF_ALONE,	/* only the task */
	FARGS_PERF_THREADS,	/* and its new threads, and theirs */
	FARGS_PERF_CHILDREN,	/* and everything it forks */
};

struct fargs_perf_task {
	pid_t tid;
	enum fargs_perf_inherit inherit;
};

struct fargs_perf_options {
	const struct fargs_perf_task *tasks;
	size_t nr_tasks;		/* 0: all tasks but the threads of this process */
	const bool *cpus;		/* selected CPUs, of nr_cpus; NULL: all */
	unsigned int nr_cpus;		/* possible CPUs */
	uint64_t ring_bytes;
	/*
	 * Times are those of CLOCK_MONOTONIC plus the offset of fargs_perf_set_offset(). Where the
	 * kernel does not trust the TSC, perf's own clock lags, and differs between CPUs.
	 */
	bool is_monotonic;
	bool has_names;			/* also record forks and names of tasks */
	const char *and_filter;		/* must also hold for all events; NULL: none */
};

struct fargs_perf;

/*
 * Opens the events, disabled. @c and the data that @o points to must outlive the result. Events
 * selected by a glob that perf cannot record are left out, unless these are all; *@nr_refused is
 * their number. NULL with @err.
 */
struct fargs_perf *fargs_perf_open(const struct fargs_event_selection *c,
				   const struct fargs_perf_options *o, size_t *nr_refused,
				   struct fargs_error_text *err);
void fargs_perf_close(struct fargs_perf *p);

/* Return 0 or -errno with @err. When stop returns, no more events are recorded. */
int fargs_perf_start(struct fargs_perf *p, struct fargs_error_text *err);
int fargs_perf_stop(struct fargs_perf *p, struct fargs_error_text *err);

/*
 * Fills @fds with what to poll: at most one per CPU, none for a CPU on which all tasks have ended.
 * Returns their number.
 */
size_t fargs_perf_poll(const struct fargs_perf *p, struct pollfd *fds, size_t room);
/* Takes the results of poll(2) for these @nr; call before the next fargs_perf_poll(). */
void fargs_perf_polled(struct fargs_perf *p, const struct pollfd *fds, size_t nr);

/* Sets the offset of events read from now on, if their times are those of CLOCK_MONOTONIC. */
void fargs_perf_set_offset(struct fargs_perf *p, int64_t offset_ns);

/* Takes records of a CPU (model/event_record.h), in order. A nonzero result ends the read. */
typedef int (*fargs_perf_fn)(void *arg, unsigned int cpu, const void *records, size_t bytes);
/*
 * Reads all buffers, and passes on the records that were there at the previous read; all records if
 * @is_last. Returns 0, the nonzero result of @fn, -EIO if a buffer is corrupt, or -ENOMEM.
 */
int fargs_perf_read(struct fargs_perf *p, bool is_last, fargs_perf_fn fn, void *arg);

/* After a read: the time in ns of the first record that is held back; UINT64_MAX: none. */
uint64_t fargs_perf_held_ns(const struct fargs_perf *p);

/*
 * Opens the events of CPUs that went online. Calls @fn for each CPU that went online or offline,
 * before its new records are read. Returns 0 or -errno with @err.
 */
typedef void (*fargs_perf_cpu_fn)(void *arg, unsigned int cpu, bool is_online);
int fargs_perf_follow_cpus(struct fargs_perf *p, fargs_perf_cpu_fn fn, void *arg,
			   struct fargs_error_text *err);

/*
 * After stop and the last read: the losses of each CPU, which the caller frees. NULL: out of
 * memory.
 */
struct fargs_event_stats *fargs_perf_stats(struct fargs_perf *p);

#endif
