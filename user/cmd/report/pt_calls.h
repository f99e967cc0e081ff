/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes calls as lines indented by their depth, in the format of perf script --call-trace and
 * --call-ret-trace, with the values of joined records.
 */
#ifndef FARGS_CMD_REPORT_PT_CALLS_H
#define FARGS_CMD_REPORT_PT_CALLS_H

#include "source/pt/input/input.h"
#include "source/pt/join/shown.h"
#include "source/pt/trace/trace.h"

struct fargs_pt_call_lines;

/* Returns NULL if out of memory. @in and @options must outlive the returned object. */
struct fargs_pt_call_lines *
fargs_pt_call_lines_create(const struct fargs_pt_input *in,
			   const struct fargs_pt_shown_options *options);
void fargs_pt_call_lines_destroy(struct fargs_pt_call_lines *c);

/* Returns the view that is passed to fargs_pt_trace_run(). */
struct fargs_pt_view fargs_pt_call_lines_view(struct fargs_pt_call_lines *c);

/* Call after fargs_pt_trace_run(): appends the lines after the last item. */
void fargs_pt_call_lines_finish(struct fargs_pt_call_lines *c, struct fargs_buf *out);

const struct fargs_pt_calls_counts *
fargs_pt_call_lines_counts(const struct fargs_pt_call_lines *c);

#endif
