/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of fargs report that shows a trace.dat file of trace-cmd.
 */
#ifndef FARGS_CMD_REPORT_TRACE_DAT_H
#define FARGS_CMD_REPORT_TRACE_DAT_H

#include "cmd/options/guest.h"
#include "cmd/report/records.h"
#include "cmd/report/view.h"

/*
 * Shows the file @path. Of @options, uses only the window, the CPU, is_raw and is_coloured. Returns
 * the exit status.
 */
int fargs_trace_dat_report(const char *path, const struct fargs_report_options *options,
			   struct fargs_view *view, const struct fargs_guest_options *guests);

#endif
