/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of fargs report that shows an Intel PT trace.
 */
#ifndef FARGS_CMD_REPORT_PT_H
#define FARGS_CMD_REPORT_PT_H

struct fargs_report_request;

/* Shows the Intel PT trace of @path. Returns the exit status. */
int fargs_pt_report(struct fargs_report_request *r, const char *path);

#endif
