// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/report_view.h"

#include <errno.h>

#include "sink/json/json_event.h"
#include "sink/json/json_missed.h"
#include "sink/summary/vcpus_text.h"
#include "sink/summary/summary_text.h"

const char fargs_view_help[] =
	"      --json      an object of JSON a line (fargs-json(5))\n"
	"      --html OUT  a page for a browser: timelines, search, functions, flame graph\n"
	"      --kvm       no events, but what vcpus did: exits by reason and function, times\n"
	"      --fields EXPR,...  these values alone, in columns with tabs between them\n"
	"      --summary   of each function: how often, errors, and how long it took\n"
	"      --top EXPR  with the commonest of these values\n"
	"      --hist EXPR  of each function: a histogram of this value\n"
	"      --sort COLUMN  of a summary: count (default), name, errors, bytes, total,\n"
	"                  mean, p50, p90, p99 or max\n"
	"      --diff      a summary of two files, and what changed\n";

bool fargs_view_take(struct fargs_view *v, int opt, const char *arg)
{
	switch (opt) {
	case FARGS_VIEW_DIFF:
		v->is_diff = true;
		return true;
	case FARGS_VIEW_FIELDS:
		v->fields = arg;
		return true;
	case FARGS_VIEW_HIST:
		v->hist = arg;
		return true;
	case FARGS_VIEW_HTML:
		v->html = arg;
		return true;
	case FARGS_VIEW_JSON:
		v->is_json = true;
		return true;
	case FARGS_VIEW_KVM:
		v->is_kvm = true;
		return true;
	case FARGS_VIEW_SORT:
		v->sort = arg;
		return true;
	case FARGS_VIEW_SUMMARY:
		v->is_summary = true;
		return true;
	case FARGS_VIEW_TOP:
		v->top = arg;
		return true;
	default:
		return false;
	}
}

bool fargs_view_is_set(const struct fargs_view *v)
{
	return v->is_json || v->is_kvm || v->is_summary || v->is_diff || v->top || v->hist ||
	       v->sort || v->fields || v->html;
}

int fargs_view_check(struct fargs_view *v, bool is_raw, struct fargs_error_text *err)
{
	unsigned int nr = (v->is_json || v->is_kvm) + !!v->fields + !!v->html + v->is_diff +
			  (v->is_summary || v->top || v->hist);
	int order = v->sort ? fargs_summary_order(v->sort) : FARGS_SUMMARY_BY_COUNT;

	if (nr > 1)
		return fargs_fail(err, EINVAL, "only one of --json, --kvm (which go together), "
				  "--html, --fields, --summary (with --top and --hist) and --diff");
	if (v->sort && !v->is_summary && !v->top && !v->hist)
		return fargs_fail(err, EINVAL, "--sort is of --summary");
	if (order < 0)
		return fargs_fail(err, EINVAL, "--sort: there is no column '%s': there are %s",
				  v->sort, fargs_summary_order_words);
	if (is_raw && nr && !v->html && (!v->is_json || v->is_kvm))
		return fargs_fail(err, EINVAL, "--raw is of lines, and of --json and --html");
	v->order = order;
	v->is_raw = is_raw;
	return 0;
}

static int show_json(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_event *ev)
{
	const struct fargs_view *v = arg;

	return v->is_raw ? fargs_json_event_raw(out, d, ev) : fargs_json_event(out, d, ev);
}

/* Of the whole recording: not of a part of it. */
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
	v->view = (struct fargs_report_view){
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

int fargs_view_begin(struct fargs_view *v, struct fargs_meta *meta, const char *path,
		     const struct fargs_report_view **view, struct fargs_error_text *err)
{
	int ret = 0;

	*view = &v->view;
	v->meta = meta;
	if (v->is_kvm) {
		v->view = (struct fargs_report_view){
			.event = take_kvm, .end = show_kvm, .arg = v, .is_in_order = true,
		};
	} else if (v->html) {
		v->page = fargs_page_create(meta, path, v->is_raw);
		if (!v->page)
			return fargs_fail(err, ENOMEM, "out of memory");
		*view = fargs_page_view(v->page);
	} else if (v->is_json) {
		v->view = (struct fargs_report_view){
			.event = show_json, .end = show_missed, .arg = v,
		};
	} else if (v->fields) {
		v->columns = fargs_columns_create(v->fields, meta, err);
		ret = v->columns ? 0 : -EINVAL;
		v->view = (struct fargs_report_view){
			.begin = show_names, .event = show_columns, .arg = v, .is_in_order = true,
		};
	} else if (v->is_summary || v->is_diff || v->top || v->hist) {
		ret = begin_summary(v, meta, err);
	} else {
		*view = NULL;
	}
	return ret;
}

bool fargs_view_is_empty(const struct fargs_view *v, struct fargs_error_text *err)
{
	if (!v->is_kvm || v->kvm.vcpus.nr)
		return false;
	fargs_fail(err, ENODATA, "no vcpu enters or leaves a guest: are events of -e "
		   "kvm:kvm_entry -e kvm:kvm_exit in it?");
	return true;
}

const char *fargs_view_error(const struct fargs_view *v)
{
	return v->page && *fargs_page_error(v->page) ? fargs_page_error(v->page) : NULL;
}

void fargs_view_end(struct fargs_view *v)
{
	fargs_page_destroy(v->page);
	v->page = NULL;
	fargs_kvm_deinit(&v->kvm);
	fargs_summary_deinit(&v->summary);
	fargs_summary_init(&v->summary);
	fargs_columns_destroy(v->columns);
	v->columns = NULL;
}
