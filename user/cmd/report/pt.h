/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of fargs report that shows an Intel PT trace.
 */
#ifndef FARGS_CMD_REPORT_PT_H
#define FARGS_CMD_REPORT_PT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time_window.h"

struct fargs_dlfilters;

struct fargs_pt_report_options {
	bool has_branches;		/* --itrace=b */
	bool has_only_calls;		/* --itrace=c */
	bool has_only_returns;		/* --itrace=r */
	uint64_t insn_period;		/* --itrace=i: number of instructions; 0: not given */
	bool has_errors;		/* --itrace=e */
	bool has_calls;			/* --call-trace or --call-ret-trace */
	bool has_returns;		/* --call-ret-trace */
	bool has_tracer;		/* --show-tracer */
	const char **graph_functions;	/* values of --graph-function */
	size_t nr_graph_functions;
	uint32_t depth_max;		/* --max-graph-depth; 0: unlimited */
	const char *kcore;		/* --kcore; NULL: not given */
	bool is_one_cpu;
	unsigned int cpu;
	struct fargs_time_window window;
	unsigned int nr_threads;
	struct fargs_dlfilters *filters;	/* filters that were started; NULL: no filters */
};

/* Parses --itrace. Returns 0, or -EINVAL with @err. */
int fargs_pt_report_set_itrace(struct fargs_pt_report_options *o, const char *value,
			       struct fargs_error_text *err);

/* Adds the value @glob of --graph-function. Returns 0 or -ENOMEM. */
int fargs_pt_report_add_function(struct fargs_pt_report_options *o, const char *glob);
void fargs_pt_report_options_deinit(struct fargs_pt_report_options *o);

/* Shows the Intel PT trace of @path. Returns the exit status. */
int fargs_pt_report(const struct fargs_pt_report_options *o, const char *path);

#endif
