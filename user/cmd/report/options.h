/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of fargs report, checks of their combinations, and the kind of file to show.
 */
#ifndef FARGS_CMD_REPORT_OPTIONS_H
#define FARGS_CMD_REPORT_OPTIONS_H

#include <stdbool.h>

#include "cmd/options/colour.h"
#include "cmd/options/dlfilter.h"
#include "cmd/options/guest.h"
#include "cmd/options/parse.h"
#include "cmd/report/pt_options.h"
#include "pipeline/pipeline.h"
#include "cmd/report/view.h"

struct fargs_report_request {
	struct fargs_pipeline_options options;
	struct fargs_view view;
	struct fargs_guest_options guests;
	struct fargs_pt_report_options pt;
	struct fargs_dlfilter_options dlfilters;
	bool is_verify;			/* --verify was given */
	bool is_follow;			/* --follow was given */
	bool is_graph;			/* -g was given */
	enum fargs_colour_when colour;	/* value of --color */
};

enum fargs_report_source {
	FARGS_REPORT_RECORDS,	/* a file written by fargs record */
	FARGS_REPORT_DIFF,	/* two files written by fargs record, to compare */
	FARGS_REPORT_TRACE_DAT,	/* a file written by trace-cmd */
	FARGS_REPORT_PERF,	/* samples in a file written by perf record */
	FARGS_REPORT_PT,	/* Intel PT in a file written by fargs record or perf record */
};

extern const struct fargs_option_group fargs_report_groups[];

/*
 * Checks the parsed options @r together with the operands @files, which may be empty. Sets *@source
 * to the kind of the files. Returns 0; or 1 after printing an error.
 */
int fargs_report_request_finish(struct fargs_report_request *r,
				const struct fargs_operands *files,
				enum fargs_report_source *source);
/*
 * Checks the options for the Intel PT trace of a file. Returns 0, or 1 after it has printed an
 * error.
 */
int fargs_report_request_check_pt(struct fargs_report_request *r);
void fargs_report_request_deinit(struct fargs_report_request *r);

#endif
