/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows the events of any source in the form that the options select.
 */
#ifndef FARGS_CMD_REPORT_SHOW_H
#define FARGS_CMD_REPORT_SHOW_H

#include <stdbool.h>

#include "base/outfile.h"
#include "cmd/report/view.h"
#include "pipeline/pipeline.h"

/* The caller sets the members up to @is_stdio; all others must be zero. */
struct fargs_show {
	const char *path;
	const char *with;	/* another file that is read; NULL: none */
	struct fargs_event_source *source;
	struct fargs_pipeline_options *options;	/* percentages in --time become times */
	struct fargs_view *view;
	bool is_nested;		/* -g was given */
	const char *guests;	/* an option like --guest that was given; NULL: none was */
	bool is_stdio;		/* output goes through stdio, since dlfilters print, too */
	/* The following members are private. */
	struct fargs_pipeline *pipeline;
	struct fargs_outfile page;	/* HTML page; its path is NULL without --html */
	int write_error;	/* result of the last write of output: 0, or -errno */
	int ret;		/* result of fargs_pipeline_run() */
};

/* Prepares the output. Returns 0, or the exit status after printing the reason. */
int fargs_show_begin(struct fargs_show *s);
/*
 * Shows all events. Returns 0, or the exit status after printing the reason. The reason is not
 * printed if a dlfilter failed: it is reported when the filters are stopped.
 */
int fargs_show_run(struct fargs_show *s);
/* Did the output fail because its reader, such as a pager, has ended? */
bool fargs_show_is_abandoned(const struct fargs_show *s);
/* Completes the output after all events were shown. Returns 0, or the exit status. */
int fargs_show_finish(struct fargs_show *s);
/* Frees all members except those that the caller has set. */
void fargs_show_deinit(struct fargs_show *s);

#endif
