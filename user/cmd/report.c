// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs report: shows the events of a file.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cmd/report/follow.h"
#include "cmd/report/options.h"
#include "cmd/report/perf_data.h"
#include "cmd/report/pt.h"
#include "cmd/report/show.h"
#include "cmd/report/trace_dat.h"
#include "cmd/report/verify.h"
#include "cmd/screen/cmd.h"
#include "cmd/verbs.h"
#include "model/clock.h"
#include "plugin/dlfilter/record_samples.h"
#include "sink/summary/summary_text.h"
#include "source/fargs_dat/fargs_dat.h"

struct command {
	struct fargs_report_request request;
	struct fargs_meta meta;
	struct fargs_reader *reader;
	struct fargs_clockline *clock;
	struct fargs_show show;
	struct fargs_file_follow following;	/* used only if request.is_follow is set */
	/* Passes a trace file's events to filters; NULL: no filters. */
	struct fargs_dlfilter_records *hook;
};

/*
 * Does the range from @first_tsc to @last_tsc overlap the time window? @cpu is the number of a
 * stream (FARGS_READER_STREAMS()): if it is less than nr_cpus, both times are TSC values; otherwise
 * the stream holds events, and both times are in ns.
 */
static bool is_in_window(void *arg, unsigned int cpu, uint64_t first_tsc, uint64_t last_tsc)
{
	const struct command *c = arg;
	const struct fargs_time_window *window = &c->request.options.window;

	if (cpu >= c->meta.info.nr_cpus)
		return fargs_time_window_overlaps(window, first_tsc, last_tsc);
	return fargs_time_window_overlaps(window, fargs_clockline_ns(c->clock, cpu, first_tsc),
					  fargs_clockline_ns(c->clock, cpu, last_tsc));
}

/* Makes the reader skip chunks outside the time window. */
static int keep_window(struct command *c, struct fargs_error_text *err)
{
	c->clock = fargs_clockline_create(&c->meta, err);
	if (!c->clock)
		return -EIO;
	fargs_reader_keep(c->reader, is_in_window, c);
	fargs_clockline_destroy(c->clock);
	return 0;
}

static int set_hook(struct command *c)
{
	struct fargs_dlfilters *filters = fargs_dlfilter_options_get(&c->request.dlfilters);

	if (!filters)
		return 0;
	c->hook = fargs_dlfilter_records_create(filters, &c->meta);
	c->request.options.hook.arg = c->hook;
	c->request.options.hook.ask = fargs_dlfilter_records_ask;
	return c->hook ? 0 : -ENOMEM;
}

/* Opens the trace file @path. Returns 0, or the exit status. */
static int open_file(struct command *c, const char *path)
{
	struct fargs_error_text err = { "" };

	if (c->request.is_follow) {
		c->reader = fargs_file_follow_open(&c->following, path, &c->meta, &err);
		c->request.options.follow = fargs_file_follow_hooks(&c->following);
		if (!c->reader && !err.text[0])
			return cmd_fail("'%s': nothing has been recorded yet", path);
	} else {
		c->reader = fargs_reader_open(path, &c->meta, &err);
	}
	return c->reader ? 0 : cmd_fail("%s", err.text);
}

/* Prepares to show the events of c->reader. Returns 0, or the exit status. */
static int make_source(struct command *c, const char *path)
{
	struct fargs_report_request *r = &c->request;
	struct fargs_error_text err = { "" };

	if (set_hook(c))
		return cmd_fail("out of memory");
	if (r->is_graph && !fargs_meta_has_graph(&c->meta))
		return cmd_fail("'-g': the calls in '%s' were recorded without '-g'", path);
	if (fargs_guest_options_read(&r->guests, NULL, &c->meta.guests))
		return cmd_fail("no memory for symbols of guests");
	c->show = (struct fargs_show){
		.path = path, .options = &r->options, .view = &r->view, .is_stdio = c->hook,
		.is_nested = r->is_graph, .guests = fargs_guest_options_name(&r->guests),
		.source = fargs_dat_source_create(c->reader, &c->meta, &err),
	};
	if (!c->show.source)
		return cmd_fail("'%s': %s", path, err.text);
	if (fargs_pipeline_options_resolve(&r->options, c->show.source, path, &err))
		return cmd_usage_fail("report", "%s", err.text);
	/*
	 * Filters are also called for events outside the time window, which must therefore be read,
	 * too.
	 */
	if (!fargs_time_window_is_all(&r->options.window) && !c->hook && !r->is_follow &&
	    keep_window(c, &err))
		return cmd_fail("'%s': %s", path, err.text);
	return fargs_show_begin(&c->show);
}

/*
 * Called after all events were shown: completes the output, and prints losses or the result of
 * --verify. @status: the exit status so far. Returns the exit status.
 */
static int finish_report(struct command *c, const char *path, int status)
{
	struct fargs_report_request *r = &c->request;
	const struct fargs_reported reported = {
		.path = path, .meta = &c->meta,
		.account = fargs_decoder_account(c->show.source->decoder),
		.nr_unknown = fargs_pipeline_nr_unknown(c->show.pipeline),
		.goes_on = r->is_follow && c->following.is_over,
	};
	struct fargs_error_text err;
	int finished = status ? 0 : fargs_show_finish(&c->show);

	if (!status && !finished && r->is_verify)
		status = fargs_reported_verify(&reported);
	else if (fargs_time_window_is_all(&r->options.window) &&
		 fargs_reported_summarize(&reported))
		status = 1;
	if (finished)
		status = finished;
	if (!r->is_verify)
		fargs_guest_options_tell(&c->meta.guests);
	if (!status && !reported.goes_on && fargs_reader_is_cut(c->reader, &err))
		status = cmd_fail("%s", err.text);
	return status;
}

static int report_records(struct command *c, const char *path)
{
	int status;

	if (open_file(c, path) || make_source(c, path))
		return 1;
	status = fargs_show_run(&c->show);
	if (c->show.write_error)
		return status;
	return finish_report(c, path, status);
}

static void deinit(struct command *c)
{
	fargs_show_deinit(&c->show);
	fargs_dat_source_destroy(c->show.source);
	fargs_dlfilter_records_destroy(c->hook);
	fargs_reader_destroy(c->reader);
	fargs_meta_deinit(&c->meta);
}

static int report_one(struct command *c, const char *path)
{
	struct fargs_report_request *r = &c->request;
	struct fargs_error_text err;
	int status;

	if (r->is_follow && fargs_file_follow_init(&c->following, &err))
		return cmd_fail("%s", err.text);
	if (fargs_dlfilter_options_start(&r->dlfilters))
		return 1;
	fargs_meta_init(&c->meta);
	status = report_records(c, path);
	status = fargs_dlfilter_options_stop(&r->dlfilters, status);
	deinit(c);
	if (r->is_follow)
		fargs_file_follow_deinit(&c->following);
	return status;
}

/* Compares the summaries of two files, which are read with the same options. */
static int report_diff(const struct command *c, char **paths)
{
	struct command commands[2] = { *c, *c };
	struct fargs_buf text = { };
	int i, ret, status = 0;

	for (i = 0; i < 2; i++) {
		fargs_meta_init(&commands[i].meta);
		/* Percentages are of each file's own times. */
		if (fargs_time_window_copy(&commands[i].request.options.window,
					   &c->request.options.window))
			status = cmd_fail("out of memory");
	}
	for (i = 0; i < 2 && !status; i++)
		status = report_records(&commands[i], paths[i]);
	if (!status) {
		ret = fargs_summary_put_diff(&text, &commands[0].request.view.summary,
					     &commands[1].request.view.summary);
		if (!ret && !text.is_short)
			ret = cmd_write(text.text, text.n);
		if (ret || text.is_short)
			status = cmd_fail("cannot write: %s", strerror(ret ? -ret : ENOMEM));
	}
	fargs_buf_deinit(&text);
	for (i = 0; i < 2; i++) {
		fargs_time_window_deinit(&commands[i].request.options.window);
		deinit(&commands[i]);
	}
	return status;
}

/* Shows the Intel PT trace of a file. */
static int report_pt(struct fargs_report_request *r, const char *path)
{
	int status;

	if (fargs_dlfilter_options_start(&r->dlfilters))
		return 1;
	status = fargs_pt_report(r, path);
	return fargs_dlfilter_options_stop(&r->dlfilters, status);
}

/* Shows the samples of a perf.data file. */
static int report_perf(struct fargs_report_request *r, const char *path)
{
	int status;

	if (fargs_dlfilter_options_start(&r->dlfilters))
		return 1;
	status = fargs_perf_report(r, path);
	return fargs_dlfilter_options_stop(&r->dlfilters, status);
}

static int report(struct command *c, const struct fargs_operands *files)
{
	struct fargs_report_request *r = &c->request;
	enum fargs_report_source source;

	if (r->dlfilters.is_list)
		return fargs_dlfilter_options_list();
	if (fargs_report_request_finish(r, files, &source))
		return 1;
	switch (source) {
	case FARGS_REPORT_PT:
		return report_pt(r, files->words[0]);
	case FARGS_REPORT_PERF:
		return report_perf(r, files->words[0]);
	case FARGS_REPORT_TRACE_DAT:
		return fargs_trace_dat_report(r, files->words[0]);
	case FARGS_REPORT_DIFF:
		return report_diff(c, files->words);
	case FARGS_REPORT_RECORDS:
		break;
	}
	return report_one(c, files->words[0]);
}

static int run(int argc, char **argv)
{
	struct command c = { };
	struct fargs_operands files;
	enum fargs_parsed parsed;
	int status;

	parsed = fargs_options_parse(&fargs_verb_report, &c.request, argc, argv, &files);
	status = parsed == FARGS_PARSED ? report(&c, &files) : parsed == FARGS_PARSED_WRONG;
	fargs_report_request_deinit(&c.request);
	return status;
}

const struct fargs_verb fargs_verb_report = {
	.name = "report",
	.what = "show the events of a file",
	.usage = "[OPTION...] FILE\n"
		 "--diff [OPTION...] OLDER NEWER\n"
		 "--list-dlfilters",
	.about = "Prints the events of a trace file, one per line, in order of time; or decodes\n"
		 "the Intel PT trace that fargs record --pt or perf record -e intel_pt//\n"
		 "recorded.",
	.groups = fargs_report_groups,
	.run = run,
};
