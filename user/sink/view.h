/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of a sink: the functions that receive events.
 */
#ifndef FARGS_SINK_VIEW_H
#define FARGS_SINK_VIEW_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/decoder.h"

/* All functions return 0, or a negative number to end the report. */
struct fargs_sink_view {
	/* Called before the first event; may be NULL. */
	int (*begin)(void *arg, struct fargs_buf *out, struct fargs_decoder *d);
	/*
	 * Appends the output for @ev to @out. Unless @is_in_order, several threads call this
	 * function at the same time, each with its own @d.
	 */
	int (*event)(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_event *ev);
	/* Called after the last event; may be NULL. */
	int (*end)(void *arg, struct fargs_buf *out, struct fargs_decoder *d);
	void *arg;
	bool is_in_order;	/* events are passed one at a time, in time order */
};

#endif
