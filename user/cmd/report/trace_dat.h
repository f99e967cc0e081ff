/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of fargs report that shows a trace.dat file of trace-cmd.
 */
#ifndef FARGS_CMD_REPORT_TRACE_DAT_H
#define FARGS_CMD_REPORT_TRACE_DAT_H

#include "cmd/report/options.h"

/* Shows the file @path, in a child process. Returns the exit status. */
int fargs_trace_dat_report(struct fargs_report_request *r, const char *path);

#endif
