/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of a sink: the functions that receive events.
 */
#ifndef FARGS_PIPELINE_SINK_H
#define FARGS_PIPELINE_SINK_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/decoder.h"

/*
 * All functions return 0, or a negative number to end the report. Those other than event() may be
 * NULL.
 */
struct fargs_sink {
	/* Called before the first event. */
	int (*begin)(void *arg, struct fargs_buf *out, struct fargs_decoder *d);
	/*
	 * Appends the output for @ev to @out. Unless @is_in_order, several threads call this
	 * function at the same time, each with its own @d.
	 */
	int (*event)(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_event *ev);
	/*
	 * Called after fargs_pipeline_pump() has passed on all events that are available, and more
	 * may follow: may write output that the sink holds back.
	 */
	int (*pause)(void *arg, struct fargs_buf *out, struct fargs_decoder *d);
	/*
	 * Called after the last event with a known time: losses at the end of the recording follow.
	 * Also called if the source failed.
	 */
	int (*flush)(void *arg, struct fargs_buf *out, struct fargs_decoder *d);
	/*
	 * Called after the last event. If it returns 1, its output is written and it is called
	 * again, so that long output need not be in memory as a whole.
	 */
	int (*end)(void *arg, struct fargs_buf *out, struct fargs_decoder *d);
	void *arg;
	bool is_in_order;	/* events are passed one at a time, in time order */
	bool is_coloured;	/* the text may have colours */
	uint32_t details;	/* details of events that the sink uses (enum fargs_event_detail) */
	bool needs_callers;	/* uses the stacks of events, also if they were not recorded */
};

#endif
