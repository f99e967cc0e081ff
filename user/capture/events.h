/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the options to the events that are recorded: which, of whom, on which CPUs.
 */
#ifndef FARGS_EVENTS_H
#define FARGS_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cmd/options/capture.h"
#include "model/meta.h"
#include "source/perf_event/choose.h"
#include "source/perf_event/perf.h"
#include "base/error.h"

/* Begins with zeroes. */
struct fargs_events {
	struct fargs_event_choice choice;
	struct fargs_perf_options options;
	struct fargs_perf_task *tasks;
	bool *cpus;
	char *filter;
	int64_t offset_ns;		/* of the times of calls from CLOCK_MONOTONIC */
	struct fargs_perf *perf;	/* NULL: no events were asked for */
};

/* Do options contradict each other? Needs nothing of the machine. -errno with the reason. */
int fargs_events_check(const struct fargs_capture_options *o, struct fargs_error_text *err);
/* Finds those that -e names. -errno. */
int fargs_events_choose(struct fargs_events *ev, const struct fargs_capture_options *o,
			struct fargs_error_text *err);
/*
 * Opens them, stopped: for all tasks, @command (0: none) or those that options name.
 * @has_names: nobody else tells how tasks are called. @meta has CPUs and the size of rings.
 */
int fargs_events_open(struct fargs_events *ev, const struct fargs_capture_options *o,
		      pid_t command, bool has_names, const struct fargs_meta *meta,
		      struct fargs_error_text *err);
/* One more round of @nr_cpus clocks, before what is read next. */
void fargs_events_clock(struct fargs_events *ev, const struct fargs_clock_sample *samples,
			unsigned int nr_cpus);
void fargs_events_deinit(struct fargs_events *ev);

#endif
