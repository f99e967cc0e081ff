/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a line for each branch, in the format of perf script --itrace=b -F +flags; for each
 * instruction, like --itrace=i1i; and for each trace error, like --itrace=e.
 */
#ifndef FARGS_CMD_REPORT_PT_BRANCHES_H
#define FARGS_CMD_REPORT_PT_BRANCHES_H

#include <stdbool.h>

#include "base/id_set.h"
#include "base/time_window.h"
#include "source/pt/decode/error.h"
#include "source/pt/trace/context.h"
#include "source/pt/trace/ipc.h"
#include "source/pt/input/input.h"
#include "source/pt/trace/trace.h"

/* Event hook: called for each branch, one at a time, in time order. */
struct fargs_pt_branches_filter {
	void *arg;
	/*
	 * @is_wanted: the branch is shown unless the hook drops it. @ipc: numbers of instructions
	 * and cycles since the last branch of the same CPU for which the hook was called; 0: not
	 * reported. Returns 0; 1: drop the branch; or -errno to stop.
	 */
	int (*ask)(void *arg, struct fargs_pt_context *context, const struct fargs_pt_item *item,
		   const struct fargs_pt_insn_cycles *ipc, bool is_wanted);
	/*
	 * Receives each line before the hook is called for the next branch. Returns 0, or nonzero
	 * to stop.
	 */
	int (*show)(void *arg, const char *text, size_t bytes);
};

struct fargs_pt_branches_options {
	bool has_branches;		/* show all branches */
	bool has_calls;			/* show calls, including interrupts and trace ends */
	bool has_returns;		/* show returns, including trace starts */
	uint64_t insn_period;		/* show every Nth instruction of a CPU; 0: none */
	bool has_errors;
	struct fargs_pt_error_flags error_flags;
	struct fargs_time_window window;
	/*
	 * NULL: no hook. With a hook, @cpus limits only the output: the hook is called for
	 * the branches of all CPUs.
	 */
	const struct fargs_pt_branches_filter *filter;
	const struct fargs_id_set *cpus;	/* CPUs to show; NULL or an empty set: all */
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

/*
 * Returns the number of trace errors within the time window, whether they were printed or not. Call
 * after fargs_pt_trace_run().
 */
uint64_t fargs_pt_branches_nr_errors(const struct fargs_pt_branches *b);

#endif
