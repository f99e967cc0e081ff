/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes the records of a capture while it runs, and passes on their events in time order, for the
 * commands that show events as they arrive. The functions correspond to callbacks of struct
 * fargs_sink.
 */
#ifndef FARGS_CAPTURE_LIVE_H
#define FARGS_CAPTURE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/decoder.h"
#include "source/ring/merge.h"

/* Initialize with zeroes. */
struct fargs_live {
	struct fargs_meta *meta;
	struct fargs_decoder *decoder;
	struct fargs_clockline *clock;	/* belongs to @decoder */
	struct fargs_merge *merge;
	/* Called for each event; a result other than 0 ends the capture. */
	int (*event)(void *arg, const struct fargs_event *ev);
	void *arg;
};

/* @live->event must be set. */
int fargs_live_begin(struct fargs_live *live, struct fargs_meta *meta,
		     struct fargs_error_text *err);
void fargs_live_deinit(struct fargs_live *live);

int fargs_live_records(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err);
int fargs_live_events(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		      struct fargs_error_text *err);
int fargs_live_clock(struct fargs_live *live, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err);
/*
 * Passes on the events that no later record can precede in time. Returns 0, -errno, or the result
 * of @live->event().
 */
int fargs_live_flush(struct fargs_live *live, uint64_t now_tsc, uint64_t held_ns);

/*
 * Does @ev count towards a limit on the number of events? Calls do (in a graph, only their
 * entries), and so do formatted events, tracepoints and context switches.
 */
bool fargs_live_is_counted(const struct fargs_event *ev);

#endif
