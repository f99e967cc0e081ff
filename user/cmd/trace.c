// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs trace: shows events live.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "capture/live.h"
#include "cmd/capture_verb.h"
#include "cmd/options/file.h"
#include "cmd/options/flight.h"
#include "cmd/options/pt.h"
#include "cmd/report/view.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/status_line.h"
#include "cmd/verbs.h"
#include "pipeline/filter/filter.h"

/* Lines are written in pieces of about this size, and whenever all available records were read. */
#define TEXT_BYTES	(64u << 10)

struct live {
	const struct fargs_capture_options *options;
	struct fargs_outfile file;	/* file of -o; its path is NULL if output goes to stdout */
	FILE *out;
	struct fargs_buf text;	/* output not written yet */
	struct fargs_live events;
	struct fargs_view view;
	uint64_t nr_events;	/* number of events shown */
	bool is_terminal;	/* the output may share the terminal with the status line */
	bool is_begun;		/* the output before the first event is in @text */
	bool is_done;		/* the number of events that --count allows was shown */
};

static int fail_write(const struct live *live, int why, struct fargs_error_text *err)
{
	return fargs_fail(err, why, "cannot write to '%s': %s",
			  live->file.path ? live->file.path : "stdout", strerror(why));
}

static int write_text(struct live *live)
{
	size_t n = live->text.n;

	if (n && live->is_terminal)
		fargs_status_line_hide();
	live->text.n = 0;
	errno = 0;
	return fwrite_unlocked(live->text.text, 1, n, live->out) == n ? 0 :
	       errno ? -errno : -EIO;
}

static void count(struct live *live)
{
	live->nr_events++;
	live->is_done = live->nr_events == live->options->live.count;
}

/* Takes output of the pipeline: with --fields, the line of an event that has one of the values. */
static int take_text(void *arg, const char *text, size_t bytes)
{
	struct live *live = arg;

	if (live->view.fields && live->is_begun)
		count(live);
	fargs_buf_add(&live->text, text, bytes);
	if (live->text.is_short)
		return -ENOMEM;
	return live->text.n >= TEXT_BYTES ? write_text(live) : 0;
}

/* Counts the events that are shown, and drops those after the last that --count allows. */
static int count_event(void *arg, struct fargs_decoder *d, const struct fargs_event *ev,
		       const struct fargs_item *item, bool is_wanted)
{
	struct live *live = arg;

	if (live->is_done)
		return 1;
	if (is_wanted && !live->view.fields && fargs_live_is_counted(ev))
		count(live);
	return 0;
}

static void set_options(void *arg, const struct fargs_capture_options *options)
{
	struct live *live = arg;

	live->options = options;
}

static int open_output(struct live *live, struct fargs_error_text *err)
{
	const char *path = live->options->output;
	int ret;

	live->out = stdout;
	if (path) {
		ret = fargs_outfile_open(&live->file, path, FARGS_OUTFILE_GROWS, err);
		if (ret)
			return ret;
		if (fargs_outfile_stream(&live->file))
			return fargs_fail(err, ENOMEM, "out of memory");
		live->out = live->file.file;
	}
	live->is_terminal = isatty(fileno(live->out));
	return 0;
}

/* Checks the expressions before the output is opened, which replaces an older file. */
static int check_expressions(const struct fargs_live_options *o, struct fargs_meta *meta,
			     struct fargs_error_text *err)
{
	struct fargs_columns *columns;
	struct fargs_filter *filter;

	if (o->is_json && o->fields)
		return fargs_fail(err, EINVAL, "'--json' and '--fields' cannot be used together");
	if (o->fields) {
		columns = fargs_columns_create(o->fields, meta, err);
		if (!columns)
			return -EINVAL;
		fargs_columns_destroy(columns);
	}
	if (o->display_filter) {
		filter = fargs_filter_create(o->display_filter, meta, err);
		if (!filter)
			return -EINVAL;
		fargs_filter_destroy(filter);
	}
	return 0;
}

static int begin(void *arg, struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct live *live = arg;
	const struct fargs_live_options *options = &live->options->live;
	const struct fargs_sink *sink;
	int ret;

	ret = check_expressions(options, meta, err);
	if (!ret)
		ret = open_output(live, err);
	if (ret)
		return ret;
	live->view = (struct fargs_view){
		.is_json = options->is_json, .fields = options->fields,
		.is_coloured = fargs_live_options_has_colour(options, fileno(live->out)),
	};
	sink = fargs_view_begin(&live->view, meta, "", fargs_meta_has_graph(meta), err);
	if (!sink)
		return -EINVAL;
	live->events.options = (struct fargs_pipeline_options){
		.filter = options->display_filter, .has_zeros = live->options->has_zeros,
		.hook = { .arg = live, .ask = count_event },
	};
	ret = fargs_live_begin(&live->events, meta, sink, take_text, live, err);
	live->is_begun = !ret;
	return ret;
}

static int take_records(void *arg, unsigned int cpu, const void *records, size_t bytes,
			uint64_t unread, struct fargs_error_text *err)
{
	struct live *live = arg;

	return fargs_live_records(&live->events, cpu, records, bytes, err);
}

static int take_events(void *arg, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err)
{
	struct live *live = arg;

	return fargs_live_events(&live->events, cpu, records, bytes, err);
}

static int take_clock(void *arg, const struct fargs_clock_sample *samples,
		      struct fargs_error_text *err)
{
	struct live *live = arg;

	return fargs_live_clock(&live->events, samples, err);
}

static int fail_output(const struct live *live, int ret, struct fargs_error_text *err)
{
	if (ret == -ENOMEM)
		return fargs_fail(err, ENOMEM, "no memory to decode records");
	return fail_write(live, -ret, err);
}

static int drained(void *arg, uint64_t now_tsc, uint64_t held_ns, struct fargs_error_text *err)
{
	struct live *live = arg;
	int ret;

	err->text[0] = '\0';
	ret = fargs_live_flush(&live->events, now_tsc, held_ns, err);
	if (ret && err->text[0])
		return ret;
	if (!ret)
		ret = write_text(live);
	if (!ret && fflush(live->out))
		ret = -errno;
	return ret ? fail_output(live, ret, err) : 0;
}

static int end(void *arg, struct fargs_error_text *err)
{
	struct live *live = arg;
	/*
	 * If is_done, losses after the last record of a CPU, and some of the missed calls, also
	 * occurred after the last requested event: do not show them.
	 */
	int ret;

	live->view.is_part = live->is_done;
	ret = fargs_pipeline_finish(live->events.pipeline, !live->is_done);
	if (!ret)
		ret = write_text(live);
	if (!ret && fflush(live->out))
		ret = -errno;
	if (!ret && live->file.path)
		ret = fargs_outfile_finish(&live->file);
	live->out = NULL;
	if (!ret && !live->nr_events)
		cmd_tell_none();
	return ret ? fail_output(live, ret, err) : 0;
}

static void tell(void *arg, struct fargs_capture_taken *taken, bool *is_done)
{
	const struct live *live = arg;

	taken->nr_events = live->nr_events;
	*is_done = live->is_done;
}

/* Keeps the file of -o: a file that it has replaced cannot be restored. */
static void cancel(void *arg)
{
}

static void live_deinit(struct live *live)
{
	fargs_outfile_deinit(&live->file);
	fargs_buf_deinit(&live->text);
	fargs_live_deinit(&live->events);
	fargs_view_end(&live->view);
}

static int run(int argc, char **argv)
{
	static const struct fargs_capture_verb verb = {
		.verb = &fargs_verb_trace,
		.set_options = set_options,
		.output = {
			.begin = begin,
			.records = take_records,
			.events = take_events,
			.clock = take_clock,
			.drained = drained,
			.tell = tell,
			.end = end,
			.cancel = cancel,
			.is_live = true,
		},
	};
	struct live live = { };
	int status = fargs_capture_verb_run(&verb, argc, argv, &live);

	live_deinit(&live);
	return status;
}

static const struct fargs_option_group groups[] = {
	{ "Output", .options = fargs_capture_output_options },
	{ "Output", fargs_live_options, .at = offsetof(struct fargs_capture_options, live) },
	FARGS_CAPTURE_GROUPS(fargs_capture_buffer_options),
	{ NULL, .options = fargs_pt_options },
	{ NULL, fargs_flight_options,
	  .at = offsetof(struct fargs_capture_options, request.flight) },
	{ NULL, fargs_file_options, .refusal = "is only for 'fargs record'" },
	{ NULL, fargs_label_option, .refusal = "is only for 'fargs record'" },
	{ NULL, fargs_top_options, .refusal = "is only for 'fargs top'" },
	{ }
};

const struct fargs_verb fargs_verb_trace = {
	.name = "trace",
	.what = "trace and show calls live",
	.usage = "[-f SELECTOR]... [OPTION...] [-- COMMAND...]",
	.about = "Shows calls of kernel functions with their arguments, as they happen.",
	.is_in_front = true,
	.groups = groups,
	.run = run,
};
