// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/view.h"

#include <errno.h>

#include "model/facts.h"
#include "sink/json/json_event.h"
#include "sink/json/json_missed.h"
#include "sink/summary/summary_text.h"
#include "sink/summary/vcpus_text.h"

#define VIEW_SETS(field)	FARGS_OPTION_SETS(struct fargs_view, field)
#define VIEW_KEEPS(field)	FARGS_OPTION_KEEPS(struct fargs_view, field)

int fargs_view_add_perf_fields(struct fargs_view *v, const char *value,
			       struct fargs_error_text *err)
{
	if (!v->has_perf_fields)
		fargs_perf_fields_init(&v->perf_fields);
	v->has_perf_fields = true;
	return fargs_perf_fields_parse(&v->perf_fields, value, err);
}

static int take_perf_fields(void *to, const char *value, struct fargs_error_text *err)
{
	return fargs_view_add_perf_fields(to, value, err);
}

const struct fargs_option fargs_view_options[] = {
	{ 0, "json", NULL, "print a JSON object per line (fargs-json(5))", VIEW_SETS(is_json) },
	{ 0, "html", "OUT", "write a page for a browser: timelines, search, functions, flame graph",
	  .offer = FARGS_OFFER_FILES, VIEW_KEEPS(html) },
	{ 0, "kvm", NULL, "print a summary of vcpus instead of events: exits by reason and "
	  "function, times",
	  VIEW_SETS(is_kvm) },
	{ 0, "fields", "EXPR,...", "print only these values, separated by tabs",
	  VIEW_KEEPS(fields) },
	{ 'F', NULL, "LIST", "print lines with these fields of perf script, of Intel PT and "
	  "perf.data: FIELD,... replaces, +FIELD and -FIELD change what is shown; can be repeated",
	  FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_WORDS, .words = FARGS_PERF_FIELD_WORDS,
	  .take = take_perf_fields },
	{ 0, "summary", NULL, "print for each function its calls, errors and durations",
	  VIEW_SETS(is_summary) },
	{ 0, "top", "EXPR", "print a summary with the most frequent values of "
	  "EXPR", VIEW_KEEPS(top) },
	{ 0, "hist", "EXPR", "print a histogram of this value for each "
	  "function", VIEW_KEEPS(hist) },
	{ 0, "sort", "COLUMN", "sort a summary by count (default), name, errors, bytes, total, "
	  "mean, p50, p90, p99 or "
	  "max", .offer = FARGS_OFFER_WORDS, .words = fargs_summary_order_words,
	  VIEW_KEEPS(sort) },
	{ 0, "diff", NULL, "print a summary of two files, and what changed", VIEW_SETS(is_diff) },
	FARGS_OPTION_END
};

bool fargs_view_is_set(const struct fargs_view *v)
{
	return v->is_json || v->is_kvm || v->is_summary || v->is_diff || v->top || v->hist ||
	       v->sort || v->fields || v->html || v->has_perf_fields;
}

uint32_t fargs_view_needs(const struct fargs_view *v, const char **name)
{
	*name = v->html ? "'--html'" : v->is_kvm ? "'--kvm'" : v->is_diff ? "'--diff'" : "this";
	/* The page shows a timeline of each CPU. */
	return v->html ? FARGS_FACT_TIMES | FARGS_FACT_CPUS :
	       v->is_kvm ? FARGS_FACT_TIMES | FARGS_FACT_FORMATTED : 0;
}

int fargs_view_check(struct fargs_view *v, struct fargs_error_text *err)
{
	unsigned int nr = (v->is_json || v->is_kvm) + !!v->fields + !!v->html + v->is_diff +
			  v->has_perf_fields +
			  (v->is_summary || v->top || v->hist);
	int order = v->sort ? fargs_summary_order(v->sort) : FARGS_SUMMARY_BY_COUNT;

	if (nr > 1)
		return fargs_fail(err, EINVAL, "only one of these can be given: '--json' and "
				  "'--kvm' (alone or together), '--html', '--fields', '-F', "
				  "'--summary' (with '--top' and '--hist'), '--diff'");
	if (v->sort && !v->is_summary && !v->top && !v->hist)
		return fargs_fail(err, EINVAL, "'--sort' is only for '--summary'");
	if (order < 0)
		return fargs_fail(err, EINVAL, "'--sort': there is no column '%s': the columns are "
				  "%s",
				  v->sort, fargs_summary_order_words);
	if (v->is_raw && nr && !v->html && (!v->is_json || v->is_kvm))
		return fargs_fail(err, EINVAL, "'--raw' can only be used with text output, "
				  "'--json' and '--html'");
	v->order = order;
	return 0;
}

static int show_json(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_event *ev)
{
	const struct fargs_view *v = arg;

	return v->is_raw ? fargs_json_event_raw(out, d, ev) : fargs_json_event(out, d, ev);
}

/*
 * Shows missed calls, unless the report is limited to a part of the recording: their number is
 * known only for the whole recording.
 */
static int show_missed(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	const struct fargs_view *v = arg;

	if (!v->is_part)
		fargs_json_missed(out, v->meta, v->is_raw, "\n", true);
	return out->is_short ? -ENOMEM : 0;
}

static int add_to_summary(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_event *ev)
{
	struct fargs_view *v = arg;

	return fargs_summary_add(&v->summary, d, ev);
}

static int show_summary(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct fargs_view *v = arg;

	fargs_summary_sort(&v->summary, v->order);
	if (v->is_diff)
		return 0;
	if (v->is_summary || v->top)
		fargs_summary_put_table(out, &v->summary);
	if (v->hist && (v->is_summary || v->top))
		fargs_buf_add_char(out, '\n');
	if (v->hist)
		fargs_summary_put_histograms(out, &v->summary);
	return out->is_short ? -ENOMEM : 0;
}

static int show_columns(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
			const struct fargs_event *ev)
{
	struct fargs_view *v = arg;

	return fargs_columns_put(v->columns, out, d, ev);
}

static int show_names(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	const struct fargs_view *v = arg;

	fargs_columns_put_names(v->columns, out);
	return out->is_short ? -ENOMEM : 0;
}

static int begin_summary(struct fargs_view *v, struct fargs_meta *meta,
			 struct fargs_error_text *err)
{
	fargs_summary_init(&v->summary);
	if (v->top) {
		v->summary.top = fargs_wanted_create(v->top, meta, err);
		if (!v->summary.top)
			return -EINVAL;
	}
	if (v->hist) {
		v->summary.hist = fargs_wanted_create(v->hist, meta, err);
		if (!v->summary.hist)
			return -EINVAL;
	}
	v->sink = (struct fargs_sink){
		.event = add_to_summary, .end = show_summary, .arg = v, .is_in_order = true,
	};
	return 0;
}

static int take_kvm(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		    const struct fargs_event *ev)
{
	struct fargs_view *v = arg;

	return fargs_kvm_event(&v->kvm, d, ev);
}

static int show_kvm(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct fargs_view *v = arg;

	if (fargs_vcpus_finish(&v->kvm.vcpus))
		return -ENOMEM;
	return v->is_json ? fargs_vcpus_json(out, &v->kvm.vcpus) :
			    fargs_vcpus_text(out, &v->kvm.vcpus);
}

const struct fargs_sink *fargs_view_begin(struct fargs_view *v, struct fargs_meta *meta,
					  const char *path, bool is_nested,
					  struct fargs_error_text *err)
{
	int ret = 0;

	v->meta = meta;
	if (v->is_kvm) {
		v->sink = (struct fargs_sink){
			.event = take_kvm, .end = show_kvm, .arg = v, .is_in_order = true,
		};
	} else if (v->html) {
		v->page = fargs_page_create(meta, path, v->is_raw);
		if (v->page)
			return fargs_page_sink(v->page);
		ret = fargs_fail(err, ENOMEM, "out of memory");
	} else if (v->is_json) {
		v->sink = (struct fargs_sink){
			.event = show_json, .end = show_missed, .arg = v,
		};
	} else if (v->has_perf_fields) {
		v->perf_lines = fargs_perf_lines_create(&v->perf_fields, meta, err);
		return v->perf_lines ? fargs_perf_lines_sink(v->perf_lines) : NULL;
	} else if (v->fields) {
		v->columns = fargs_columns_create(v->fields, meta, err);
		ret = v->columns ? 0 : -EINVAL;
		v->sink = (struct fargs_sink){
			.begin = show_names, .event = show_columns, .arg = v, .is_in_order = true,
		};
	} else if (v->is_summary || v->is_diff || v->top || v->hist) {
		ret = begin_summary(v, meta, err);
	} else {
		fargs_lines_init(&v->lines, v->is_raw, is_nested, v->is_coloured);
		return &v->lines.sink;
	}
	return ret ? NULL : &v->sink;
}

bool fargs_view_is_empty(const struct fargs_view *v, struct fargs_error_text *err)
{
	if (!v->is_kvm || v->kvm.vcpus.nr)
		return false;
	fargs_fail(err, ENODATA, "'--kvm' shows vcpus, but no vcpu enters or leaves a guest: "
		   "record events with '-e kvm:kvm_entry -e kvm:kvm_exit'");
	return true;
}

const char *fargs_view_error(const struct fargs_view *v)
{
	return v->page && *fargs_page_error(v->page) ? fargs_page_error(v->page) : NULL;
}

void fargs_view_end(struct fargs_view *v)
{
	fargs_lines_deinit(&v->lines);
	fargs_page_destroy(v->page);
	v->page = NULL;
	fargs_perf_lines_destroy(v->perf_lines);
	v->perf_lines = NULL;
	fargs_kvm_deinit(&v->kvm);
	fargs_summary_deinit(&v->summary);
	fargs_summary_init(&v->summary);
	fargs_columns_destroy(v->columns);
	v->columns = NULL;
}
