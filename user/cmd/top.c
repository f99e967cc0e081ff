// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs top: shows the busiest functions, updated periodically.
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/live.h"
#include "cmd/capture_verb.h"
#include "cmd/options/file.h"
#include "cmd/options/flight.h"
#include "cmd/options/pt.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/progress.h"
#include "cmd/screen/top_screen.h"
#include "cmd/verbs.h"
#include "sink/summary/busiest.h"
#include "sink/summary/prometheus.h"
#include "sink/summary/summary.h"

#define INTERVAL_MS	2000

struct top {
	const struct fargs_capture_options *options;
	struct fargs_meta *meta;
	struct fargs_sink sink;
	struct fargs_live live;
	struct fargs_summary current;	/* events since @began_ms */
	/* Events of the previous interval, which lasted @shown_ms. */
	struct fargs_summary shown;
	uint64_t began_ms;
	uint64_t shown_ms;
	/* --prometheus: all events since @all_s (seconds since 1970), written at @written_ms. */
	struct fargs_summary all;
	uint64_t all_s;
	uint64_t written_ms;
	uint64_t nr_events;		/* total number of events */
	uint64_t nr_screens;
	enum fargs_summary_order order;
	struct fargs_top_screen *screen;	/* NULL: --batch, or not created yet */
	bool is_done;
};

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

static int take_event(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		      const struct fargs_event *ev)
{
	struct top *top = arg;

	int ret = fargs_summary_add(&top->current, d, ev);

	top->nr_events += fargs_live_is_counted(ev);
	return ret || !top->options->live.prometheus ? ret : fargs_summary_add(&top->all, d, ev);
}

static int begin_summary(struct top *top, struct fargs_error_text *err)
{
	fargs_summary_init(&top->current);
	top->current.has_values = true;
	top->began_ms = now_ms();
	if (!top->options->live.top)
		return 0;
	top->current.top = fargs_wanted_create(top->options->live.top, top->meta, err);
	return top->current.top ? 0 : -EINVAL;
}

/* Writes the metrics of --prometheus, if it was given. */
static int write_metrics(struct top *top, uint64_t now, struct fargs_error_text *err)
{
	const char *path = top->options->live.prometheus;

	top->written_ms = now;
	return path ? fargs_prometheus_write(path, &top->all, top->all_s, err) : 0;
}

static void set_options(void *arg, const struct fargs_capture_options *options)
{
	struct top *top = arg;

	top->options = options;
}

static int begin(void *arg, struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct top *top = arg;
	const struct fargs_capture_options *options = top->options;
	int order = options->live.sort ? fargs_summary_order(options->live.sort) :
					 FARGS_SUMMARY_BY_COUNT;

	if (order < 0)
		return fargs_fail(err, EINVAL, "'--sort': there is no column '%s': the columns are "
				  "%s",
				  options->live.sort, fargs_summary_order_words);
	if (options->output || options->has_zeros)
		return fargs_fail(err, EINVAL, "'-o' and '--zeros' are only for 'fargs trace'");
	if (!options->live.is_batch && options->request.command)
		return fargs_fail(err, EINVAL, "a command would write to the screen: give "
				  "'--batch', or start it in another terminal and give '--pid'");
	if (!options->live.is_batch && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
		return fargs_fail(err, EINVAL, "there is no terminal: give '--batch'");
	top->order = order;
	top->meta = meta;
	top->sink = (struct fargs_sink){ .event = take_event, .arg = top, .is_in_order = true };
	top->live.options.filter = options->live.display_filter;
	if (fargs_live_begin(&top->live, meta, &top->sink, NULL, NULL, err))
		return -EINVAL;
	fargs_summary_init(&top->all);
	top->all_s = time(NULL);
	/* Before anything is traced, so that a file that cannot be written is reported. */
	if (write_metrics(top, now_ms(), err))
		return -EINVAL;
	return begin_summary(top, err);
}

static int take_records(void *arg, unsigned int cpu, const void *records, size_t bytes,
			uint64_t unread, struct fargs_error_text *err)
{
	struct top *top = arg;

	return fargs_live_records(&top->live, cpu, records, bytes, err);
}

static int take_events(void *arg, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err)
{
	struct top *top = arg;

	return fargs_live_events(&top->live, cpu, records, bytes, err);
}

static int take_clock(void *arg, const struct fargs_clock_sample *samples,
		      struct fargs_error_text *err)
{
	struct top *top = arg;

	return fargs_live_clock(&top->live, samples, err);
}

static void put_title(struct fargs_buf *out, const struct top *top)
{
	char text[160], nr[FARGS_PROGRESS_NUMBER], all[FARGS_PROGRESS_NUMBER];
	char lost[FARGS_PROGRESS_NUMBER];
	uint64_t events = 0;
	size_t i;

	for (i = 0; i < top->shown.nr; i++)
		events += top->shown.rows[i].nr;
	snprintf(text, sizeof(text), "fargs top: %s events in %llu.%llu s, %s lost; %s in all",
		 fargs_progress_number(events, nr), (unsigned long long)top->shown_ms / 1000,
		 (unsigned long long)top->shown_ms / 100 % 10,
		 fargs_progress_number(top->shown.nr_lost, lost),
		 fargs_progress_number(top->nr_events, all));
	fargs_buf_add(out, text, strlen(text));
}

static int print_batch(struct top *top)
{
	struct fargs_buf out = { };
	int ret;

	if (top->nr_screens)
		fargs_buf_add_char(&out, '\n');
	put_title(&out, top);
	fargs_buf_add_char(&out, '\n');
	fargs_busiest_put_head(&out, &top->shown);
	fargs_buf_add_char(&out, '\n');
	fargs_busiest_put(&out, &top->shown, top->shown_ms, "", SIZE_MAX);
	ret = out.is_short ? -ENOMEM : cmd_write(out.text, out.n);
	fargs_buf_deinit(&out);
	return ret;
}

static int draw(struct top *top)
{
	struct fargs_buf title = { };
	int ret = 0;

	if (!top->screen)
		top->screen = fargs_top_screen_create();
	if (!top->screen)
		return -ENOTTY;
	put_title(&title, top);
	fargs_buf_add_char(&title, '\0');
	if (title.is_short)
		ret = -ENOMEM;
	else
		ret = fargs_top_screen_draw(top->screen, title.text, &top->shown, top->shown_ms,
					    top->order);
	fargs_buf_deinit(&title);
	return ret;
}

/* Shows the events counted since the last update of the screen, and restarts counting. */
static int next_screen(struct top *top, uint64_t now, struct fargs_error_text *err)
{
	int ret;

	fargs_summary_deinit(&top->shown);
	top->shown = top->current;
	top->shown_ms = now - top->began_ms;
	ret = begin_summary(top, err);
	if (ret)
		return ret;
	fargs_summary_sort(&top->shown, top->order);
	ret = top->options->live.is_batch ? print_batch(top) : draw(top);
	if (ret == -EPIPE)
		return ret;
	if (ret)
		return fargs_fail(err, -ret, ret == -ENOTTY ?
				  "this terminal type (TERM) is not supported: give '--batch'" :
				  "cannot draw the screen: %s", strerror(-ret));
	top->nr_screens++;
	top->is_done |= top->nr_screens == top->options->live.count;
	return 0;
}

static int drained(void *arg, uint64_t now_tsc, uint64_t held_ns, struct fargs_error_text *err)
{
	struct top *top = arg;
	uint64_t ms = top->options->live.interval_ns / 1000000, now = now_ms();
	int ret;

	err->text[0] = '\0';
	ret = fargs_live_flush(&top->live, now_tsc, held_ns, err);
	if (ret)
		return err->text[0] ? ret : fargs_fail(err, -ret, "no memory to decode records");
	ms = ms ? ms : INTERVAL_MS;
	if (now_tsc == FARGS_CAPTURE_END || now - top->written_ms >= ms) {
		ret = write_metrics(top, now, err);
		if (ret)
			return ret;
	}
	/* The last interval is shorter; show it, because it may be the only one. */
	if (now_tsc == FARGS_CAPTURE_END) {
		if (!top->options->live.is_batch || top->is_done)
			return 0;
		return next_screen(top, now, err);
	}
	if (top->screen && fargs_top_screen_is_paused(top->screen))
		return 0;
	return now - top->began_ms < ms ? 0 : next_screen(top, now, err);
}

static void tell(void *arg, struct fargs_capture_taken *taken, bool *is_done)
{
	struct top *top = arg;
	bool is_changed = false;

	taken->nr_events = top->nr_events;
	if (top->screen)
		top->is_done |= fargs_top_screen_keys(top->screen, &top->order, &is_changed);
	if (is_changed && !top->is_done) {
		fargs_summary_sort(&top->shown, top->order);
		draw(top);
	}
	*is_done = top->is_done;
}

static int end(void *arg, struct fargs_error_text *err)
{
	struct top *top = arg;

	/* Restore the terminal first, so that reports of losses are readable. */
	fargs_top_screen_destroy(top->screen);
	top->screen = NULL;
	if (!top->nr_events)
		cmd_tell_none();
	return 0;
}

static void cancel(void *arg)
{
}

static int run(int argc, char **argv)
{
	static const struct fargs_capture_verb verb = {
		.verb = &fargs_verb_top,
		.has_screen = true,
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
	struct top top = { };
	int status;

	setlocale(LC_CTYPE, "");
	status = fargs_capture_verb_run(&verb, argc, argv, &top);
	fargs_top_screen_destroy(top.screen);
	fargs_summary_deinit(&top.current);
	fargs_summary_deinit(&top.shown);
	fargs_summary_deinit(&top.all);
	fargs_live_deinit(&top.live);
	return status;
}

static const struct fargs_option_group groups[] = {
	{ "Screens", fargs_top_options, .at = offsetof(struct fargs_capture_options, live) },
	FARGS_CAPTURE_GROUPS(fargs_capture_buffer_options),
	{ NULL, .options = fargs_capture_output_options },
	{ NULL, .options = fargs_pt_options },
	{ NULL, fargs_flight_options,
	  .at = offsetof(struct fargs_capture_options, request.flight) },
	{ NULL, fargs_file_options, .refusal = "is only for 'fargs record'" },
	{ NULL, fargs_label_option, .refusal = "is only for 'fargs record'" },
	{ NULL, fargs_live_options,
	  .refusal = "is only for 'fargs trace': show a file with 'fargs report'" },
	{ }
};

const struct fargs_verb fargs_verb_top = {
	.name = "top",
	.what = "show the functions called most, live",
	.usage = "[-f SELECTOR]... [OPTION...]\n"
		 "-b [-f SELECTOR]... [OPTION...] [-- COMMAND...]",
	.about = "Shows the functions that are called most, with their rates and most frequent\n"
		 "values; with '-> ret' in the SELECTOR also their durations. Press h for a list\n"
		 "of keys, q to quit.",
	.is_in_front = true,
	.groups = groups,
	.run = run,
};
