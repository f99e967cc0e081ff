/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls as lines, each as far to the right as it is deep, in the shape of perf script's
 * --call-trace and --call-ret-trace; with the values of records that were joined.
 */
#ifndef FARGS_PT_CALLS_H
#define FARGS_PT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/funcs.h"
#include "source/pt/input/input.h"
#include "source/pt/join/join.h"
#include "source/pt/decode/trace.h"
#include "base/time_window.h"

struct fargs_pt_calls_options {
	bool has_returns;
	bool has_tracer;		/* our own code, too */
	bool is_one_cpu;		/* lines of @cpu only */
	unsigned int cpu;
	struct fargs_time_window window;
	const struct fargs_pt_funcs *roots;	/* these, and what they call; NULL: all */
	uint32_t depth_max;		/* of those nested in each other, so many; 0: all */
	/*
	 * NULL: none. To be told of the trace, by a view that writes nothing, before it
	 * joins and another view of the same trace shows it.
	 */
	struct fargs_pt_join *join;
	bool is_learning;
};

/* What was seen, printed or not. */
struct fargs_pt_calls_counts {
	uint64_t calls;		/* tail calls and interrupts included */
	uint64_t returns;	/* to calls that were seen */
	uint64_t unseen;	/* to others */
	uint64_t errors;	/* where the trace does not tell what was executed */
};

struct fargs_pt_calls;

/* NULL: no memory. @in and @options must outlive it. */
struct fargs_pt_calls *fargs_pt_calls_create(const struct fargs_pt_input *in,
					     const struct fargs_pt_calls_options *options);
void fargs_pt_calls_destroy(struct fargs_pt_calls *c);

/* For fargs_pt_trace_run. */
struct fargs_pt_view fargs_pt_calls_view(struct fargs_pt_calls *c);

const struct fargs_pt_calls_counts *fargs_pt_calls_counts(const struct fargs_pt_calls *c);
/* Calls so far, also those that only lead on: the number of the last one. */
uint64_t fargs_pt_calls_nr_nodes(const struct fargs_pt_calls *c);

#endif
