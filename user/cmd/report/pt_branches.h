/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each branch a line, in the shape of perf script --itrace=b -F +flags, each instruction, as
 * --itrace=i, and each place where the trace does not tell what was executed, as --itrace=e.
 */
#ifndef FARGS_PT_BRANCHES_H
#define FARGS_PT_BRANCHES_H

#include <stdbool.h>

#include "source/pt/input/input.h"
#include "source/pt/decode/line.h"
#include "source/pt/decode/trace.h"
#include "base/time_window.h"

/* Since the last such branch that was asked about on the same CPU; 0: not told. */
struct fargs_pt_ipc {
	uint64_t nr_insns;
	uint64_t nr_cycles;
};

/* Who is asked about each branch, one after the other, in the order of time. */
struct fargs_pt_branches_filter {
	void *arg;
	/* Is it to be shown, if it @is_wanted? 0; 1: not in any case; -errno ends it all. */
	int (*ask)(void *arg, struct fargs_pt_line *line, const struct fargs_pt_item *item,
		   const struct fargs_pt_ipc *ipc, bool is_wanted);
	/* Takes each line before the next branch is asked about. 0, or what ends it all. */
	int (*show)(void *arg, const char *text, size_t bytes);
};

struct fargs_pt_branches_options {
	bool has_branches;		/* all, */
	bool has_calls;			/* or those, interrupts and ends of the trace included */
	bool has_returns;		/* and those, and where the trace goes on */
	uint64_t insn_period;		/* each so-manieth instruction of a CPU; 0: none */
	bool has_errors;
	struct fargs_time_window window;
	/* NULL: none. One CPU alone is chosen here then, so that it is asked about all. */
	const struct fargs_pt_branches_filter *filter;
	bool is_one_cpu;
	uint32_t cpu;
};

struct fargs_pt_branches;

/* NULL: no memory. @in and @options must outlive it. */
struct fargs_pt_branches *
fargs_pt_branches_create(const struct fargs_pt_input *in,
			 const struct fargs_pt_branches_options *options,
			 unsigned int nr_threads);
void fargs_pt_branches_destroy(struct fargs_pt_branches *b);

/* As branches are called, with a colon behind. */
const char *fargs_pt_branches_event(const struct fargs_pt_config *config);

/* For fargs_pt_trace_run. */
struct fargs_pt_view fargs_pt_branches_view(struct fargs_pt_branches *b);

/*
 * After it: in how many places the trace does not say what was executed, in the window of time,
 * printed or not.
 */
uint64_t fargs_pt_branches_nr_errors(const struct fargs_pt_branches *b);

#endif
