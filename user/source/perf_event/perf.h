/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records the selected events by perf_event_open(2). Each CPU has one buffer for all events of all
 * tasks on that CPU. Times are those of the perf clock.
 *
 * For all tasks, each event is opened on each online CPU, and on CPUs that go online later. For
 * selected tasks, each event is opened for each task on each possible CPU, with inheritance.
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
	FARGS_PERF_ALONE,	/* record only the task */
	FARGS_PERF_THREADS,	/* record the task and its new threads, recursively */
	FARGS_PERF_CHILDREN,	/* record the task and its new threads and children, recursively */
};

struct fargs_perf_task {
	pid_t tid;
	enum fargs_perf_inherit inherit;
};

struct fargs_perf_options {
	const struct fargs_perf_task *tasks;
	size_t nr_tasks;		/* 0: all tasks except threads of this process */
	const bool *cpus;		/* array of nr_cpus: is the CPU selected? NULL: all */
	unsigned int nr_cpus;		/* number of possible CPUs */
	uint64_t ring_bytes;
	/*
	 * Use CLOCK_MONOTONIC, plus the offset set by fargs_perf_set_offset(), instead of the perf
	 * clock. If the kernel considers the TSC unstable, the perf clock lags, and differs between
	 * CPUs.
	 */
	bool is_monotonic;
	bool is_on_exec;	/* record from the next exec of the tasks on, not before */
	bool has_names;			/* also record forks and names of tasks */
	const char *and_filter;		/* ANDed with the filters of all events; NULL: none */
};

struct fargs_perf;

/*
 * Tests whether perf lets this process record events of all tasks, by opening an event that records
 * nothing. Returns 0 or -errno with @err.
 */
int fargs_perf_test(struct fargs_error_text *err);
/*
 * Opens the events, which are disabled at first. @c and the data that @o points to must outlive the
 * returned object. An event that was selected by a glob is left out if perf cannot record it;
 * *@nr_refused is set to the number of such events. Returns NULL with @err on error, or if all
 * events would be left out.
 */
struct fargs_perf *fargs_perf_open(const struct fargs_event_selection *c,
				   const struct fargs_perf_options *o, size_t *nr_refused,
				   struct fargs_error_text *err);
void fargs_perf_close(struct fargs_perf *p);

/*
 * Start and stop recording. Return 0 or -errno with @err. No events are recorded after
 * fargs_perf_stop() returns.
 */
int fargs_perf_start(struct fargs_perf *p, struct fargs_error_text *err);
int fargs_perf_stop(struct fargs_perf *p, struct fargs_error_text *err);

/*
 * Disables the events, or enables them again, while they are recorded. Names and forks of tasks are
 * still recorded. Returns 0 or -errno with @err.
 */
int fargs_perf_pause(struct fargs_perf *p, bool is_paused, struct fargs_error_text *err);

/*
 * Fills @fds with descriptors for poll(2): at most one per CPU, and none for a CPU on which all
 * tasks have ended. Returns the number of descriptors.
 */
size_t fargs_perf_poll(const struct fargs_perf *p, struct pollfd *fds, size_t room);
/*
 * Processes the results of poll(2) for the @nr descriptors; called before the next
 * fargs_perf_poll().
 */
void fargs_perf_polled(struct fargs_perf *p, const struct pollfd *fds, size_t nr);

/* Sets the offset that is added to times of events read from now on. Used with is_monotonic. */
void fargs_perf_set_offset(struct fargs_perf *p, int64_t offset_ns);

/* Receives records of a CPU (model/event_record.h), in order. A nonzero result ends the read. */
typedef int (*fargs_perf_fn)(void *arg, unsigned int cpu, const void *records, size_t bytes);
/*
 * Reads all buffers. Holds back records that are later than all records of the previous call, so
 * that records can be sorted by time; @is_last: holds back none. Returns 0, the nonzero result of
 * @fn, -EIO if a buffer is corrupt, or -ENOMEM.
 */
int fargs_perf_read(struct fargs_perf *p, bool is_last, fargs_perf_fn fn, void *arg);

/*
 * Returns the time in ns of the first record that fargs_perf_read() holds back; UINT64_MAX: none.
 */
uint64_t fargs_perf_held_ns(const struct fargs_perf *p);

/*
 * Opens the events of CPUs that went online. Calls @fn for each CPU that went online or offline,
 * before new records of that CPU are read. Returns 0 or -errno with @err.
 */
typedef void (*fargs_perf_cpu_fn)(void *arg, unsigned int cpu, bool is_online);
int fargs_perf_follow_cpus(struct fargs_perf *p, fargs_perf_cpu_fn fn, void *arg,
			   struct fargs_error_text *err);

/*
 * Returns the losses of each CPU in an array that the caller frees; NULL: out of memory. Call after
 * fargs_perf_stop() and the last fargs_perf_read().
 */
struct fargs_event_stats *fargs_perf_stats(struct fargs_perf *p);

#endif
