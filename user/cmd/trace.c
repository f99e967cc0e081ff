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
#include "cmd/screen/cmd.h"
#include "cmd/screen/status_line.h"
#include "cmd/verbs.h"
#include "sink/json/json_event.h"
#include "sink/text/graph.h"
#include "sink/text/text.h"
#include "uapi/fargs_record.h"

/* Lines are written in pieces of about this size, and whenever all available records were read. */
#define TEXT_BYTES	(64u << 10)

struct live {
	const struct fargs_capture_options *options;
	struct fargs_outfile file;	/* file of -o; its path is NULL if output goes to stdout */
	FILE *out;
	struct fargs_buf text;	/* lines not written yet */
	struct fargs_live events;
	struct fargs_graph *graph;	/* shows calls nested; NULL: each event is a line */
	uint64_t nr_events;	/* number of events shown */
	bool is_terminal;	/* the output may share the terminal with the status line */
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

static int show(struct live *live, const struct fargs_event *ev)
{
	if (live->options->live.is_json)
		return fargs_json_event(&live->text, live->events.decoder, ev);
	return live->graph ? fargs_graph_event(live->graph, &live->text, ev)
			   : fargs_text_event(&live->text, live->events.decoder, ev);
}

static int take_event(void *arg, const struct fargs_event *ev)
{
	struct live *live = arg;
	int ret;

	if (live->is_done)
		return 0;
	ret = show(live, ev);
	live->nr_events += fargs_live_is_counted(ev);
	live->is_done = live->nr_events && live->nr_events == live->options->live.count;
	return !ret && live->text.n >= TEXT_BYTES ? write_text(live) : ret;
}

static void set_options(void *arg, const struct fargs_capture_options *options)
{
	struct live *live = arg;

	live->options = options;
}

static int begin(void *arg, struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct live *live = arg;
	const struct fargs_capture_options *options = live->options;
	int ret;

	live->out = stdout;
	if (options->output) {
		ret = fargs_outfile_open(&live->file, options->output, FARGS_OUTFILE_GROWS, err);
		if (ret)
			return ret;
		if (fargs_outfile_stream(&live->file))
			return fargs_fail(err, ENOMEM, "out of memory");
		live->out = live->file.file;
	}
	live->is_terminal = isatty(fileno(live->out));
	live->text.is_coloured = fargs_live_options_has_colour(&options->live, fileno(live->out));
	live->events.event = take_event;
	live->events.arg = live;
	if (fargs_live_begin(&live->events, meta, err))
		return -EINVAL;
	fargs_decoder_set_zeros(live->events.decoder, options->has_zeros);
	if (fargs_meta_has_graph(meta) && !options->live.is_json) {
		live->graph = fargs_graph_create(live->events.decoder);
		if (!live->graph)
			return fargs_fail(err, ENOMEM, "no memory for a graph");
	}
	return 0;
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

static int drained(void *arg, uint64_t now_tsc, uint64_t held_ns, struct fargs_error_text *err)
{
	struct live *live = arg;
	int ret = fargs_live_flush(&live->events, now_tsc, held_ns);

	/*
	 * The graph holds a call until the next event. Write the held call now if it was already
	 * held when drained() was last called.
	 */
	if (!ret && live->graph)
		ret = fargs_graph_flush(live->graph, &live->text,
					now_tsc == FARGS_CAPTURE_END || live->is_done);
	if (!ret)
		ret = write_text(live);
	if (!ret && fflush(live->out))
		ret = -errno;
	if (ret == -ENOMEM)
		return fargs_fail(err, ENOMEM, "no memory to decode records");
	return ret ? fail_write(live, -ret, err) : 0;
}

/* Shows the losses that occurred after the last record of each CPU: no LOST record reports them. */
static int write_last_losses(struct live *live)
{
	const struct fargs_meta *meta = live->events.meta;
	unsigned int i, cpu, nr = meta->info.nr_cpus;

	/*
	 * If is_done, losses after the last record of a CPU also occurred after the last requested
	 * event: do not show them.
	 */
	for (i = 0; i < 2 * nr && !live->is_done; i++) {
		const struct fargs_event ev = {
			.kind = FARGS_KIND_LOST,
			.cpu = cpu = i % nr,
			.is_event = i >= nr,
			.lost = fargs_meta_pending(meta, cpu, i >= nr),
		};

		if (ev.lost && show(live, &ev))
			return -ENOMEM;
	}
	return write_text(live);
}

static int end(void *arg, struct fargs_error_text *err)
{
	struct live *live = arg;
	int ret = write_last_losses(live);

	if (!ret && fflush(live->out))
		ret = -errno;
	if (!ret && live->file.path)
		ret = fargs_outfile_finish(&live->file);
	live->out = NULL;
	return ret ? fail_write(live, -ret, err) : 0;
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
	fargs_graph_destroy(live->graph);
	fargs_live_deinit(&live->events);
}

static int run(int argc, char **argv)
{
	static const struct fargs_capture_verb verb = {
		.verb = &fargs_verb_trace,
		.set_options = set_options,
		.sink = {
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
	{ NULL, .options = fargs_capture_pt_options },
	{ NULL, fargs_flight_options,
	  .at = offsetof(struct fargs_capture_options, request.flight) },
	{ NULL, fargs_file_options, .refusal = "is only for 'fargs record'" },
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
