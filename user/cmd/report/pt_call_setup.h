/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prepares to show the calls of an Intel PT trace: finds the functions that the options select, and
 * joins records to calls.
 */
#ifndef FARGS_CMD_REPORT_PT_CALL_SETUP_H
#define FARGS_CMD_REPORT_PT_CALL_SETUP_H

#include "cmd/report/pt_options.h"
#include "source/pt/join/shown.h"
#include "source/pt/trace/trace.h"

/* Initialize with zeroes. */
struct fargs_pt_call_setup {
	struct fargs_pt_shown_options wanted;
	struct fargs_pt_funcs *roots;
};

/*
 * @in was read from @path; tasks that are known only from records are added to it. If records are
 * joined, calls of all CPUs must be followed, since tasks migrate between CPUs. @how: the number of
 * threads, and the CPU whose calls are shown. Returns 0 or -errno with @err; in both cases, call
 * fargs_pt_call_setup_deinit().
 */
int fargs_pt_call_setup_init(struct fargs_pt_call_setup *c,
			     const struct fargs_pt_report_options *o, const char *path,
			     struct fargs_pt_input *in, const struct fargs_pt_trace_options *how,
			     struct fargs_error_text *err);
void fargs_pt_call_setup_deinit(struct fargs_pt_call_setup *c);

#endif
