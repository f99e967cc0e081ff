/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fargs report makes of events other than lines of text: its options, and the view.
 */
#ifndef FARGS_REPORT_VIEW_H
#define FARGS_REPORT_VIEW_H

#include <stdbool.h>

#include "sink/summary/columns.h"
#include "sink/summary/kvm.h"
#include "sink/html/page.h"
#include "cmd/report/records.h"
#include "sink/summary/summary.h"
#include "base/error.h"

/* Begin with zeroes. */
struct fargs_view {
	bool is_json;
	bool is_kvm;		/* what vcpus did, as text or, with is_json, JSON */
	bool is_summary;
	bool is_diff;		/* a summary that is compared with another */
	const char *top;	/* values of it; NULL: none */
	const char *hist;	/* drawn; NULL: none */
	const char *html;	/* a page, in this file; NULL: none */
	const char *sort;
	const char *fields;
	/* From the begin on: */
	bool is_raw;
	enum fargs_summary_order order;
	struct fargs_summary summary;
	struct fargs_columns *columns;
	struct fargs_kvm kvm;
	struct fargs_page *page;
	const struct fargs_meta *meta;
	bool is_part;		/* of one CPU, or of some time */
	struct fargs_report_view view;
};

/* Long options, to be put among those of a command, and what is to be done with each. */
#define FARGS_VIEW_OPTIONS \
	{ "diff", no_argument, NULL, FARGS_VIEW_DIFF }, \
	{ "fields", required_argument, NULL, FARGS_VIEW_FIELDS }, \
	{ "hist", required_argument, NULL, FARGS_VIEW_HIST }, \
	{ "html", required_argument, NULL, FARGS_VIEW_HTML }, \
	{ "json", no_argument, NULL, FARGS_VIEW_JSON }, \
	{ "kvm", no_argument, NULL, FARGS_VIEW_KVM }, \
	{ "sort", required_argument, NULL, FARGS_VIEW_SORT }, \
	{ "summary", no_argument, NULL, FARGS_VIEW_SUMMARY }, \
	{ "top", required_argument, NULL, FARGS_VIEW_TOP }

enum {
	FARGS_VIEW_DIFF = 0x200,
	FARGS_VIEW_FIELDS,
	FARGS_VIEW_HIST,
	FARGS_VIEW_HTML,
	FARGS_VIEW_JSON,
	FARGS_VIEW_KVM,
	FARGS_VIEW_SORT,
	FARGS_VIEW_SUMMARY,
	FARGS_VIEW_TOP,
};

extern const char fargs_view_help[];

/* True: @opt was one of these. */
bool fargs_view_take(struct fargs_view *v, int opt, const char *arg);
/* Has any of them been given? */
bool fargs_view_is_set(const struct fargs_view *v);
/* Do they go together, and with @is_raw? 0, or -EINVAL with the reason. */
int fargs_view_check(struct fargs_view *v, bool is_raw, struct fargs_error_text *err);

/*
 * Begins with the file of @meta, called @path: *@view is for fargs_report_options, NULL for lines
 * of text. 0, or negative with what is wrong.
 */
int fargs_view_begin(struct fargs_view *v, struct fargs_meta *meta, const char *path,
		     const struct fargs_report_view **view, struct fargs_error_text *err);
/* Why it ended the report, NULL if it did not say. */
const char *fargs_view_error(const struct fargs_view *v);
/* Was there nothing of what it is about? Then with the reason. */
bool fargs_view_is_empty(const struct fargs_view *v, struct fargs_error_text *err);
/* Zeroes what begin has set. */
void fargs_view_end(struct fargs_view *v);

#endif
