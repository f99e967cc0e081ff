/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Letters G and L of --itrace: adds call chains and last branches from the trace of a perf.data
 * file to the samples in it.
 */
#ifndef FARGS_CMD_REPORT_ADDED_H
#define FARGS_CMD_REPORT_ADDED_H

#include "cmd/report/pt_options.h"
#include "source/pt/events/added.h"
#include "source/pt/input/input.h"
#include "source/source.h"

/* Initialize with zeroes. */
struct fargs_report_added {
	struct fargs_pt_error_counts *errors;	/* set by the caller; NULL: they are not counted */
	struct fargs_pt_input in;
	struct fargs_pt_sample *samples;
	size_t nr;
	struct fargs_pt_added *added;
	struct fargs_pt_which which;
	struct fargs_event_source *beside;	/* NULL: the samples alone are shown */
};

/*
 * Decodes the trace of @path if @o asks for it, and makes *@source, the samples of that file, add
 * what is found to its events. If @o selects events of the trace, too, *@source becomes a source of
 * both. Returns 0 or -errno with @err. In both cases, call fargs_report_added_deinit() before the
 * samples are destroyed.
 */
int fargs_report_added_init(struct fargs_report_added *a, const char *path,
			    const struct fargs_pt_report_options *o,
			    struct fargs_event_source **source, struct fargs_error_text *err);
void fargs_report_added_deinit(struct fargs_report_added *a);

#endif
