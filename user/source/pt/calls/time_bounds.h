/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bounds of the time of an item of the flow. They follow from times in the trace, if these are
 * frequent enough for their error to be known, and from the TSC of records joined to calls.
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

#define FARGS_PT_MOMENT_UNKNOWN	((struct fargs_pt_time_bounds){ 0, UINT64_MAX })

struct fargs_pt_bounds;

/* @in must outlive the result. NULL: out of memory. */
struct fargs_pt_bounds *fargs_pt_bounds_create(const struct fargs_pt_input *in);
void fargs_pt_bounds_destroy(struct fargs_pt_bounds *m);

/*
 * Adds a record on @cpu, which read @tsc after @nr_nodes calls of all CPUs
 * (source/pt/calls/stack.h). No item whose bounds are queried may lie between the last of these
 * calls and the record. Returns 0 or -ENOMEM.
 */
int fargs_pt_bounds_add(struct fargs_pt_bounds *m, uint32_t cpu, uint64_t nr_nodes,
			uint64_t tsc);
/* Was any record added? If not, fargs_pt_bounds_tighten() has no effect. */
bool fargs_pt_bounds_have_records(const struct fargs_pt_bounds *m);
/* Call after the last fargs_pt_bounds_add(). */
void fargs_pt_bounds_finish(struct fargs_pt_bounds *m);

/* Bounds of @tsc from the trace alone. */
struct fargs_pt_time_bounds fargs_pt_bounds_from_trace(const struct fargs_pt_bounds *m,
						       uint64_t tsc);

/*
 * Tightens @time_bounds, which is after @nr_nodes calls on the CPU of stream @nr, by records.
 * Records made after @since calls or fewer do not bound it from below: they may be later than
 * what follows in the flow.
 */
void fargs_pt_bounds_tighten(const struct fargs_pt_bounds *m, size_t nr, uint64_t since,
			     uint64_t nr_nodes, struct fargs_pt_time_bounds *time_bounds);

/*
 * The time between both: at least *@least_ns and at most *@most_ns. False: it is not known to
 * within a factor of two.
 */
bool fargs_pt_bounds_between(const struct fargs_pt_bounds *m,
			     const struct fargs_pt_time_bounds *from,
			     const struct fargs_pt_time_bounds *to, uint64_t *least_ns,
			     uint64_t *most_ns);

#endif
