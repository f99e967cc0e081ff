/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first pass over a trace whose records are to be joined (join.h): reports the executions of
 * the instructions that allocate sequence numbers, and the gaps that may hide executions.
 */
#ifndef FARGS_SOURCE_PT_JOIN_LEARN_H
#define FARGS_SOURCE_PT_JOIN_LEARN_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"
#include "source/pt/join/join.h"
#include "source/pt/trace/trace.h"

struct fargs_pt_learner;

/* @in and @join must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_learner *fargs_pt_learner_create(const struct fargs_pt_input *in,
						 struct fargs_pt_join *join);
void fargs_pt_learner_destroy(struct fargs_pt_learner *l);

/*
 * Processes the items of @part from @begin to @end (exclusive). The items of all CPUs must be
 * processed, in order of time, before fargs_pt_join_run(). Returns 0 or -ENOMEM.
 */
int fargs_pt_learner_take(struct fargs_pt_learner *l, const struct fargs_pt_part *part,
			  size_t begin, size_t end);
/* Returns a view for fargs_pt_trace_run() that calls fargs_pt_learner_take(). It writes no text. */
struct fargs_pt_view fargs_pt_learner_view(struct fargs_pt_learner *l);

/*
 * Returns the number of calls in the items processed until now. Calls are numbered from 1, so this
 * is also the number of the last call.
 */
uint64_t fargs_pt_learner_nr_nodes(const struct fargs_pt_learner *l);

#endif
