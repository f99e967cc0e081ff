/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CLOCK_REALTIME at events, whose times are of the perf clock.
 */
#ifndef FARGS_SINK_EXPORT_ROWS_REALTIME_H
#define FARGS_SINK_EXPORT_ROWS_REALTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "model/meta.h"

struct fargs_realtime {
	const struct fargs_origin *origin;
	/* CLOCK_REALTIME minus the perf clock if @has_both; at @perf_ns, off by @error_ns */
	bool has_both;
	int64_t minus_perf;
	uint64_t perf_ns, error_ns;
	bool has_first;		/* @first_ns is set: of the first event, on the perf clock */
	uint64_t first_ns;
};

/* Relates the clocks of a recording. @meta must outlive @t. Returns 0 or -ENOMEM. */
int fargs_realtime_init(struct fargs_realtime *t, struct fargs_meta *meta);
/* When the recording began, in ns since 1970; only in seconds if it does not relate its clocks. */
int64_t fargs_realtime_begin(const struct fargs_realtime *t);
/*
 * Returns the time of the event in ns since 1970, and sets *@error to how much it may be off;
 * UINT64_MAX: it is not known.
 */
int64_t fargs_realtime_at(struct fargs_realtime *t, const struct fargs_event *ev, uint64_t *error);

#endif
