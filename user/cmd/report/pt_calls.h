/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes calls as lines indented by their depth, in the format of perf script --call-trace and
 * --call-ret-trace, with the values of joined records.
 */
#ifndef FARGS_CMD_REPORT_PT_CALLS_H
#define FARGS_CMD_REPORT_PT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/time_window.h"
#include "source/pt/calls/calls.h"
#include "source/pt/decode/funcs.h"
#include "source/pt/decode/trace.h"
#include "source/pt/input/input.h"
#include "source/pt/join/join.h"

struct fargs_pt_call_lines_options {
	bool has_returns;
	bool has_tracer;		/* show fargs's own code, too */
	bool is_one_cpu;		/* only lines of @cpu */
	unsigned int cpu;
	struct fargs_time_window window;
	/* Show only these functions and the calls inside them; NULL: all functions. */
	const struct fargs_pt_funcs *roots;
	uint32_t depth_max;		/* maximum depth of nested calls; 0: unlimited */
	struct fargs_pt_join *join;	/* records joined to calls; NULL: no records */
};

struct fargs_pt_call_lines;

/* Returns NULL if out of memory. @in and @options must outlive the returned object. */
struct fargs_pt_call_lines *
fargs_pt_call_lines_create(const struct fargs_pt_input *in,
			   const struct fargs_pt_call_lines_options *options);
void fargs_pt_call_lines_destroy(struct fargs_pt_call_lines *c);

/* Returns the view that is passed to fargs_pt_trace_run(). */
struct fargs_pt_view fargs_pt_call_lines_view(struct fargs_pt_call_lines *c);

const struct fargs_pt_calls_counts *
fargs_pt_call_lines_counts(const struct fargs_pt_call_lines *c);

#endif
