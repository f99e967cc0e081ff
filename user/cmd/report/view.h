/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The view of fargs report: the options that select the kind of output, and the sink that writes
 * the output.
 */
#ifndef FARGS_CMD_REPORT_VIEW_H
#define FARGS_CMD_REPORT_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cmd/options/parse.h"
#include "pipeline/sink.h"
#include "sink/html/page.h"
#include "sink/summary/columns.h"
#include "sink/summary/kvm.h"
#include "sink/summary/summary.h"
#include "sink/text/lines.h"
#include "sink/text/perf_line.h"

/* Must be zeroed before use. */
struct fargs_view {
	bool is_json;
	bool is_kvm;		/* vcpu statistics, as text or, with is_json, as JSON */
	bool is_summary;
	bool is_diff;		/* make a summary to compare with that of another file */
	bool is_raw;		/* show only what records contain, without BTF and symbols */
	bool is_coloured;	/* colour lines of text */
	const char *top;	/* value to list by frequency; NULL: none */
	const char *hist;	/* value to draw a histogram of; NULL: none */
	const char *html;	/* path of the HTML page; NULL: none */
	const char *sort;
	const char *fields;
	bool has_perf_fields;	/* -F, or an option that implies it */
	struct fargs_perf_fields perf_fields;	/* only with @has_perf_fields */
	/* The following members are set by fargs_view_begin(). */
	enum fargs_summary_order order;
	struct fargs_summary summary;
	struct fargs_columns *columns;
	struct fargs_kvm kvm;
	struct fargs_page *page;
	struct fargs_perf_lines *perf_lines;
	const struct fargs_meta *meta;
	bool is_part;		/* the report is limited to one CPU or to a time window */
	struct fargs_lines lines;
	struct fargs_sink sink;
};

/* Options that set members of struct fargs_view. */
extern const struct fargs_option fargs_view_options[];

/* Applies @value to the fields of -F. Returns 0, or -EINVAL with @err. */
int fargs_view_add_perf_fields(struct fargs_view *v, const char *value,
			       struct fargs_error_text *err);

/*
 * Returns the facts about events that the view needs, as a set of enum fargs_fact. Sets *@name to
 * the option that selects the view, in quotes.
 */
uint32_t fargs_view_needs(const struct fargs_view *v, const char **name);
/* Is any of the options set? */
bool fargs_view_is_set(const struct fargs_view *v);
/* Checks the options. Returns 0, or -EINVAL with the reason. */
int fargs_view_check(struct fargs_view *v, struct fargs_error_text *err);

/*
 * Creates the view for the file @path with @meta, and returns its sink, which fargs_view_end()
 * frees. @is_nested: lines of text show calls nested. Returns NULL with @err on error.
 */
const struct fargs_sink *fargs_view_begin(struct fargs_view *v, struct fargs_meta *meta,
					  const char *path, bool is_nested,
					  struct fargs_error_text *err);
/* Returns the error with which the view ended the report; NULL: there is no error text. */
const char *fargs_view_error(const struct fargs_view *v);
/* Was nothing shown? If so, sets @err to the reason. */
bool fargs_view_is_empty(const struct fargs_view *v, struct fargs_error_text *err);
/* Frees everything that fargs_view_begin() has set up. */
void fargs_view_end(struct fargs_view *v);

#endif
