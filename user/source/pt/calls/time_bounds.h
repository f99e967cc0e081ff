/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lower and upper bounds of an item's time. They are derived from the times in the trace, if these
 * are frequent enough for their error to be known, and from the TSCs of fargs's records that were
 * joined to calls.
 */
#ifndef FARGS_SOURCE_PT_CALLS_TIME_BOUNDS_H
#define FARGS_SOURCE_PT_CALLS_TIME_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

struct fargs_pt_time_bounds {
	uint64_t first_tsc;	/* lower bound; 0: unknown */
	uint64_t last_tsc;	/* upper bound; UINT64_MAX: unknown */
};

#define FARGS_PT_TIME_UNKNOWN	((struct fargs_pt_time_bounds){ 0, UINT64_MAX })

struct fargs_pt_bounds;

/* @in must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_bounds *fargs_pt_bounds_create(const struct fargs_pt_input *in);
void fargs_pt_bounds_destroy(struct fargs_pt_bounds *m);

/*
 * Adds a record of @cpu. Its TSC, @tsc, was read after the first @nr_nodes calls on all CPUs
 * (numbered as in source/pt/calls/calls.h). Items between the last of these calls and the record
 * get wrong bounds, so their bounds must not be queried. Returns 0 or -ENOMEM.
 */
int fargs_pt_bounds_add(struct fargs_pt_bounds *m, uint32_t cpu, uint64_t nr_nodes,
			uint64_t tsc);
/* Returns whether any record was added. If not, fargs_pt_bounds_tighten() has no effect. */
bool fargs_pt_bounds_have_records(const struct fargs_pt_bounds *m);
/* Must be called after the last fargs_pt_bounds_add(), before fargs_pt_bounds_tighten(). */
void fargs_pt_bounds_finish(struct fargs_pt_bounds *m);

/* Returns the bounds of @tsc, a time in the trace, without using records. */
struct fargs_pt_time_bounds fargs_pt_bounds_from_trace(const struct fargs_pt_bounds *m,
						       uint64_t tsc);

/*
 * Uses records to tighten @time_bounds, the bounds of a point in stream @nr that is after the first
 * @nr_nodes calls on all CPUs. Records that were added with @nr_nodes <= @since are not used as
 * lower bounds: their TSC may be later than the times of items that follow them.
 */
void fargs_pt_bounds_tighten(const struct fargs_pt_bounds *m, size_t nr, uint64_t since,
			     uint64_t nr_nodes, struct fargs_pt_time_bounds *time_bounds);

/*
 * Bounds the time from @from to @to: it is at least *@least_ns and at most *@most_ns. Returns false
 * if the bounds differ by more than a factor of two, or are unknown.
 */
bool fargs_pt_bounds_between(const struct fargs_pt_bounds *m,
			     const struct fargs_pt_time_bounds *from,
			     const struct fargs_pt_time_bounds *to, uint64_t *least_ns,
			     uint64_t *most_ns);

#endif
