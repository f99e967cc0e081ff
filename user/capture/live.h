/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes the records of a capture to a sink while the capture runs, for the commands that show
 * events as they arrive. The functions correspond to callbacks of struct fargs_capture_output.
 */
#ifndef FARGS_CAPTURE_LIVE_H
#define FARGS_CAPTURE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event.h"
#include "pipeline/pipeline.h"

/* Initialize with zeroes. */
struct fargs_live {
	struct fargs_event_source *source;
	struct fargs_pipeline *pipeline;
	struct fargs_pipeline_options options;	/* set by the caller, but for the threads */
};

/*
 * @live->options must be set. All output of @sink is passed to @fn with @arg. Returns 0, or -errno
 * with @err.
 */
int fargs_live_begin(struct fargs_live *live, struct fargs_meta *meta,
		     const struct fargs_sink *sink, fargs_pipeline_fn fn, void *arg,
		     struct fargs_error_text *err);
void fargs_live_deinit(struct fargs_live *live);

int fargs_live_records(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err);
int fargs_live_events(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		      struct fargs_error_text *err);
int fargs_live_clock(struct fargs_live *live, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err);
/*
 * Passes on the events that no later record can precede in time. Returns 0; the result of the
 * function that takes the output; or -errno, with @err unless it is empty.
 */
int fargs_live_flush(struct fargs_live *live, uint64_t now_tsc, uint64_t held_ns,
		     struct fargs_error_text *err);

/*
 * Does @ev count towards a limit on the number of events? Calls do (in a graph, only their
 * entries), and so do formatted events, tracepoints and context switches.
 */
bool fargs_live_is_counted(const struct fargs_event *ev);

#endif
