/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a line for each branch, in the format of perf script --itrace=b -F +flags; for each
 * instruction, like --itrace=i1i; and for each trace error, like --itrace=e.
 */
#ifndef FARGS_CMD_REPORT_PT_BRANCHES_H
#define FARGS_CMD_REPORT_PT_BRANCHES_H

#include <stdbool.h>

#include "base/time_window.h"
#include "source/pt/decode/error.h"
#include "source/pt/trace/context.h"
#include "source/pt/input/input.h"
#include "source/pt/trace/trace.h"

struct fargs_pt_branches_options {
	bool has_branches;		/* show all branches */
	bool has_calls;			/* show calls, including interrupts and trace ends */
	bool has_returns;		/* show returns, including trace starts */
	uint64_t insn_period;		/* show every Nth instruction of a CPU; 0: none */
	bool has_errors;
	struct fargs_pt_error_flags error_flags;
	struct fargs_time_window window;
};

struct fargs_pt_branches;

/* Returns NULL if out of memory. @in and @options must outlive the returned object. */
struct fargs_pt_branches *
fargs_pt_branches_create(const struct fargs_pt_input *in,
			 const struct fargs_pt_branches_options *options,
			 unsigned int nr_threads);
void fargs_pt_branches_destroy(struct fargs_pt_branches *b);

/* Returns the view that is passed to fargs_pt_trace_run(). */
struct fargs_pt_view fargs_pt_branches_view(struct fargs_pt_branches *b);

#endif
