/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens perf events for the formatted events of a request, on the requested tasks and CPUs.
 */
#ifndef FARGS_CAPTURE_EVENTS_H
#define FARGS_CAPTURE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "capture/hooks.h"
#include "capture/request.h"
#include "model/meta.h"
#include "source/perf_event/selection.h"
#include "source/perf_event/perf.h"

/* Initialize with zeroes. */
struct fargs_events {
	struct fargs_event_selection selection;
	struct fargs_perf_options options;
	struct fargs_perf_task *tasks;
	bool *cpus;
	char *filter;
	/*
	 * Perf clock minus CLOCK_MONOTONIC. If the TSC is unstable, formatted events have times of
	 * CLOCK_MONOTONIC; adding this offset converts them to the perf clock, the clock of calls.
	 */
	int64_t offset_ns;
	struct fargs_perf *perf;	/* NULL: no events were requested */
};

/* Finds the events that the request names. Returns 0 or -errno. */
int fargs_events_choose(struct fargs_events *ev, const struct fargs_capture_request *r,
			struct fargs_missing *missing, struct fargs_error_text *err);
/*
 * Opens the events that fargs_events_choose() found, without enabling them: for all tasks, for
 * @command (0: none), or for the tasks that the request names. @has_names: also record forks and
 * names of tasks; to be set if the module, which otherwise records them, is not used. @meta
 * contains the number of CPUs and the size of the rings. *@nr_refused: number of matching events
 * that perf cannot record.
 */
int fargs_events_open(struct fargs_events *ev, const struct fargs_capture_request *r,
		      pid_t command, bool has_names, const struct fargs_meta *meta,
		      size_t *nr_refused, struct fargs_capture_error *err);
/*
 * Updates the offset of the events' times from a round of @nr_cpus clock samples. Call before
 * reading events.
 */
void fargs_events_clock(struct fargs_events *ev, const struct fargs_clock_sample *samples,
			unsigned int nr_cpus);
void fargs_events_deinit(struct fargs_events *ev);

#endif
