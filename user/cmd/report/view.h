/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output of fargs report other than lines of text: the options that select the output, and its
 * view.
 */
#ifndef FARGS_CMD_REPORT_VIEW_H
#define FARGS_CMD_REPORT_VIEW_H

#include <stdbool.h>

#include "base/error.h"
#include "cmd/options/parse.h"
#include "cmd/report/records.h"
#include "sink/html/page.h"
#include "sink/summary/columns.h"
#include "sink/summary/kvm.h"
#include "sink/summary/summary.h"

/* Must be zeroed before use. */
struct fargs_view {
	bool is_json;
	bool is_kvm;		/* vcpu statistics, as text or, with is_json, as JSON */
	bool is_summary;
	bool is_diff;		/* make a summary to compare with that of another file */
	const char *top;	/* value to list by frequency; NULL: none */
	const char *hist;	/* value to draw a histogram of; NULL: none */
	const char *html;	/* path of the HTML page; NULL: none */
	const char *sort;
	const char *fields;
	/* The following members are set by fargs_view_begin(). */
	bool is_raw;
	enum fargs_summary_order order;
	struct fargs_summary summary;
	struct fargs_columns *columns;
	struct fargs_kvm kvm;
	struct fargs_page *page;
	const struct fargs_meta *meta;
	bool is_part;		/* the report is limited to one CPU or to a time window */
	struct fargs_sink_view view;
};

/* Options that set members of struct fargs_view. */
extern const struct fargs_option fargs_view_options[];

/* Is any of the options set? */
bool fargs_view_is_set(const struct fargs_view *v);
/* Checks the options, also against --raw (@is_raw). Returns 0, or -EINVAL with the reason. */
int fargs_view_check(struct fargs_view *v, bool is_raw, struct fargs_error_text *err);

/*
 * Creates the view for the file @path with @meta. Sets *@view to the value for the member view of
 * struct fargs_report_options; NULL: lines of text. Returns 0, or a negative errno with the reason.
 */
int fargs_view_begin(struct fargs_view *v, struct fargs_meta *meta, const char *path,
		     const struct fargs_sink_view **view, struct fargs_error_text *err);
/* Returns why the view ended the report; NULL: no reason is known. */
const char *fargs_view_error(const struct fargs_view *v);
/* Was nothing shown? If so, sets @err to the reason. */
bool fargs_view_is_empty(const struct fargs_view *v, struct fargs_error_text *err);
/* Frees everything that fargs_view_begin() has set up. */
void fargs_view_end(struct fargs_view *v);

#endif
