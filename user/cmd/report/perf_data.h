/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of fargs report that shows the samples of a perf.data file.
 */
#ifndef FARGS_CMD_REPORT_PERF_DATA_H
#define FARGS_CMD_REPORT_PERF_DATA_H

#include <stdbool.h>

#include "base/time_window.h"

struct fargs_dlfilters;

struct fargs_perf_report_options {
	const char *kcore;		/* value of --kcore; NULL: not given */
	bool is_one_cpu;
	unsigned int cpu;
	struct fargs_time_window window;
	struct fargs_dlfilters *filters;	/* filters that were started; NULL: no filters */
};

/* Shows the samples of @path. Returns the exit status. The caller reports failures of filters. */
int fargs_perf_report(const struct fargs_perf_report_options *o, const char *path);

#endif
