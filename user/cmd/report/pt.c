// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt.h"

#include <errno.h>
#include <string.h>

#include "cmd/report/options.h"
#include "cmd/report/pt_branches.h"
#include "cmd/report/pt_call_setup.h"
#include "cmd/report/pt_calls.h"
#include "cmd/report/pt_log.h"
#include "cmd/report/pt_notes.h"
#include "cmd/report/show.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/pt_gaps.h"
#include "model/facts.h"
#include "plugin/dlfilter/pt_samples.h"
#include "source/pt/events/calls.h"
#include "source/pt/events/describe.h"
#include "source/pt/join/join.h"
#include "source/pt/trace/trace.h"

struct output {
	int error;		/* 0, or -errno if stdout cannot be written */
};

static int write_text(void *arg, const char *text, size_t bytes)
{
	struct output *out = arg;

	out->error = cmd_write(text, bytes);
	return out->error;
}

static bool has_cpu(const struct fargs_pt_input *in, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < in->nr_streams; i++)
		if (in->streams[i].cpu == cpu)
			return true;
	return false;
}

static int run_calls(const struct fargs_pt_input *in,
		     const struct fargs_pt_shown_options *wanted,
		     const struct fargs_pt_trace_options *how, struct output *out,
		     struct fargs_error_text *err)
{
	struct fargs_pt_call_lines *c = fargs_pt_call_lines_create(in, wanted);
	struct fargs_buf rest = { };
	struct fargs_pt_view view;
	int ret;

	if (!c)
		return fargs_fail(err, ENOMEM, "out of memory");
	view = fargs_pt_call_lines_view(c);
	ret = fargs_pt_trace_run(in, how, &view, write_text, out, err);
	if (!ret)
		fargs_pt_call_lines_finish(c, &rest);
	if (rest.n)
		ret = write_text(out, rest.text, rest.n);
	fargs_buf_deinit(&rest);
	fargs_pt_call_lines_destroy(c);
	return ret;
}

/* Reports how many records were joined to calls. Call after all calls were shown. */
static void print_joined(const struct fargs_pt_join_counts *counts)
{
	fprintf(stderr, "fargs: records joined to calls: %llu; calls that wrote no record: %llu; "
		"records with several possible calls: %llu",
		(unsigned long long)counts->joined, (unsigned long long)counts->filtered,
		(unsigned long long)counts->unmatched);
	if (counts->untraced)
		fprintf(stderr, "; records whose calls were not traced: %llu",
			(unsigned long long)counts->untraced);
	fprintf(stderr, "\n");
	if (counts->contradictions)
		fprintf(stderr, "fargs: parts of the trace where no record was joined, because "
			"they contradict the records: %llu\n",
			(unsigned long long)counts->contradictions);
}

static int show_calls(const struct fargs_pt_report_options *o, const char *path,
		      struct fargs_pt_input *in, const struct fargs_pt_trace_options *how,
		      struct output *out, struct fargs_error_text *err)
{
	struct fargs_pt_trace_options all = *how;
	struct fargs_pt_call_setup calls = { };
	int ret = fargs_pt_call_setup_init(&calls, o, path, in, how, err);

	if (calls.wanted.join)
		all.cpus = NULL;
	if (!ret)
		ret = run_calls(in, &calls.wanted, &all, out, err);
	if (!ret && calls.wanted.join)
		print_joined(fargs_pt_join_counts(calls.wanted.join));
	fargs_pt_call_setup_deinit(&calls);
	return ret;
}

static int run_branches(const struct fargs_pt_input *in, const struct fargs_pt_report_options *o,
			const struct fargs_pt_branches_options *wanted,
			const struct fargs_pt_trace_options *how, struct output *out,
			struct fargs_error_text *err)
{
	struct fargs_pt_trace_options all = *how;
	struct fargs_pt_branches *b;
	struct fargs_pt_view view;
	int ret;

	b = fargs_pt_branches_create(in, wanted, o->nr_threads);
	if (!b)
		return fargs_fail(err, ENOMEM, "out of memory");
	view = fargs_pt_branches_view(b);
	all.is_by_insn = o->itrace.has_insns;
	ret = fargs_pt_trace_run(in, &all, &view, write_text, out, err);
	fargs_pt_branches_destroy(b);
	return ret;
}

static int show_branches(const struct fargs_pt_report_options *o, const struct fargs_pt_input *in,
			 const struct fargs_pt_trace_options *how, struct output *out,
			 struct fargs_error_text *err)
{
	const struct fargs_pt_which which = fargs_pt_report_which(o);
	struct fargs_pt_branches_options wanted = {
		.has_branches = which.has_branches, .has_calls = which.has_calls,
		.has_returns = which.has_returns, .insn_period = which.insn_period,
		.has_errors = which.has_errors, .error_flags = which.error_flags,
		.window = o->window,
	};

	return run_branches(in, o, &wanted, how, out, err);
}

/* Shows the events of @source, or prints why there is none. Returns the exit status. */
static int show_source(struct fargs_report_request *r, const char *path,
		       struct fargs_event_source *source, const struct fargs_error_text *err)
{
	struct fargs_show show = {
		.path = path, .with = r->pt.with, .options = &r->options, .view = &r->view,
		.source = source, .is_stdio = r->pt.filters,
	};
	int status;

	status = source ? fargs_show_begin(&show) : cmd_fail("'%s': %s", path, err->text);
	if (!status)
		status = fargs_show_run(&show);
	if (!status)
		status = fargs_show_finish(&show);
	fargs_show_deinit(&show);
	return status;
}

/* Passes events to the filters. Returns 0 or -ENOMEM with @err. */
static int set_hook(struct fargs_report_request *r, const struct fargs_pt_input *in,
		    const struct fargs_pt_which *which, struct fargs_error_text *err)
{
	struct fargs_pipeline_hook *hook = &r->options.hook;

	if (!r->pt.filters)
		return 0;
	*hook = (struct fargs_pipeline_hook){
		.arg = fargs_dlfilter_pt_create(fargs_dlfilter_pt_filter, r->pt.filters, in,
						which),
		.ask = fargs_dlfilter_pt_ask, .details = FARGS_DLFILTER_PT_DETAILS,
	};
	return hook->arg ? 0 : fargs_fail(err, ENOMEM, "out of memory");
}

static int show_branch_events(struct fargs_report_request *r, const char *path,
			      const struct fargs_pt_input *in)
{
	const struct fargs_pt_which which = fargs_pt_report_which(&r->pt);
	struct fargs_error_text err = { "" };
	struct fargs_event_source *source = NULL;
	struct fargs_meta meta;
	int status;

	fargs_meta_init(&meta);
	if (!set_hook(r, in, &which, &err))
		source = fargs_pt_branches_source(in, &which, &meta, &err);
	status = show_source(r, path, source, &err);
	fargs_pt_branches_source_destroy(source);
	fargs_dlfilter_pt_destroy(r->options.hook.arg);
	fargs_meta_deinit(&meta);
	return status;
}

static int show_call_events(struct fargs_report_request *r, const char *path,
			    struct fargs_pt_input *in, const struct fargs_pt_trace_options *how)
{
	struct fargs_error_text err = { "" };
	struct fargs_event_source *source = NULL;
	struct fargs_pt_call_setup calls = { };
	struct fargs_meta meta;
	int status;

	fargs_meta_init(&meta);
	if (!fargs_pt_call_setup_init(&calls, &r->pt, path, in, how, &err))
		source = fargs_pt_calls_source(in, &calls.wanted, how, &meta, &err);
	status = show_source(r, path, source, &err);
	if (!status && calls.wanted.join)
		print_joined(fargs_pt_join_counts(calls.wanted.join));
	fargs_pt_calls_source_destroy(source);
	fargs_pt_call_setup_deinit(&calls);
	fargs_meta_deinit(&meta);
	return status;
}

/* Turns percentages in --time into times. */
static int resolve_window(struct fargs_report_request *r, const char *path,
			  const struct fargs_pt_input *in, struct fargs_error_text *err)
{
	struct fargs_time_window *window = &r->options.window;
	uint64_t first_ns, last_ns;
	unsigned int nr_cpus;
	int ret;

	ret = fargs_facts_check(FARGS_FACT_SPAN, fargs_pt_facts(in, &nr_cpus),
				"'--time' in percent", path, "an Intel PT trace", err);
	if (ret)
		return ret;
	fargs_pt_span(in, &first_ns, &last_ns);
	if (fargs_time_window_resolve(window, first_ns, last_ns))
		return fargs_fail(err, ENOMEM, "out of memory");
	/* The options of Intel PT share the window, which this function has reallocated. */
	r->pt.window = *window;
	return 0;
}

/* Reports that the trace has no TNT packets. Returns nonzero if it cannot be shown. */
static int fail_without_tnt(const struct fargs_report_request *r, const char *path)
{
	if (r->pt.has_calls)
		return cmd_fail("'%s' has no calls: it was recorded with 'notnt', without the "
				"packets of conditional branches. '--itrace=bi' shows the "
				"addresses in it", path);
	if (!r->pt.itrace.quick)
		fprintf(stderr, "fargs: '%s' was recorded with 'notnt', without the packets of "
			"conditional branches: it is decoded as with letter q of '--itrace'\n",
			path);
	return 0;
}

static int show(struct fargs_report_request *r, const char *path, struct fargs_pt_input *in)
{
	const struct fargs_pt_report_options *o = &r->pt;
	const struct fargs_pt_trace_options how = {
		.nr_threads = o->nr_threads, .cpus = o->cpus, .engine = o->engine,
	};
	struct fargs_error_text err = { "" };
	struct output out = { };
	unsigned int nr_cpus;
	int ret;

	if (fargs_pt_report_read(o, in, path, &err))
		return cmd_fail("%s", err.text);
	fargs_pt_print_missing(in, path, &o->itrace, o->engine == FARGS_PT_ENGINE_LIBIPT);
	if (!fargs_time_window_is_all(&r->options.window) &&
	    fargs_facts_check(FARGS_FACT_TIMES, fargs_pt_facts(in, &nr_cpus), "'--time'", path,
			      "an Intel PT trace", &err))
		return cmd_usage_fail("report", "%s", err.text);
	if (r->options.window.nr_shares && resolve_window(r, path, in, &err))
		return cmd_usage_fail("report", "%s", err.text);
	if (o->cpus->nr && !has_cpu(in, fargs_id_set_last(o->cpus)))
		return cmd_fail("'%s' has no trace of CPU %u", path, fargs_id_set_last(o->cpus));
	if (in->nr_pokes && !in->config.has_time)
		fprintf(stderr, "fargs: '%s': code was changed during the trace, at times that are "
			"not known, because the kernel did not trust the TSC: branches may be "
			"wrong\n",
			path);
	cmd_report_pt_gaps(in);
	if (in->config.has_no_tnt && fail_without_tnt(r, path))
		return 1;
	if (fargs_pt_report_log(o, in))
		return 1;
	if (fargs_pt_report_is_log(o))
		return 0;
	/* Lines of text that need no selection are written by the threads that decode. */
	if (r->options.filter || fargs_pipeline_selects_tasks(&r->options) ||
	    fargs_view_is_set(&r->view) || fargs_pt_report_needs_events(o) ||
	    in->config.has_no_tnt || o->filters)
		return o->has_calls ? show_call_events(r, path, in, &how) :
				      show_branch_events(r, path, in);
	ret = o->has_calls ? show_calls(o, path, in, &how, &out, &err) :
			     show_branches(o, in, &how, &out, &err);
	if (out.error)
		return cmd_fail("cannot write: %s", strerror(-out.error));
	return ret ? cmd_fail("'%s': %s", path, err.text[0] ? err.text : strerror(-ret)) : 0;
}

int fargs_pt_report(struct fargs_report_request *r, const char *path)
{
	struct fargs_pt_error_counts errors = { .window = &r->options.window };
	struct fargs_pt_input in;
	int status;

	r->pt.cpus = &r->options.cpus;
	r->pt.window = r->options.window;
	r->pt.nr_threads = r->options.nr_threads;
	r->pt.guests = &r->guests;
	r->pt.filters = fargs_dlfilter_options_get(&r->dlfilters);
	fargs_pt_input_init(&in);
	in.errors = &errors;
	status = show(r, path, &in);
	fargs_pt_input_deinit(&in);
	return status ? status : fargs_pt_print_errors(&errors, &r->pt.itrace);
}
