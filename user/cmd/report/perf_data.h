/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of fargs report that shows the samples of a perf.data file.
 */
#ifndef FARGS_CMD_REPORT_PERF_DATA_H
#define FARGS_CMD_REPORT_PERF_DATA_H

#include "cmd/report/options.h"

/*
 * Shows the samples of @path. Returns the exit status. The caller starts and stops filters, and
 * reports their failures.
 */
int fargs_perf_report(struct fargs_report_request *r, const char *path);

#endif
