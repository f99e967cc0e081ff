// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs trace: live lines.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/capture_verb.h"
#include "cmd/screen/cmd.h"
#include "capture/live.h"
#include "sink/text/graph.h"
#include "sink/json/json_event.h"
#include "sink/text/text.h"
#include "cmd/screen/status_line.h"
#include "uapi/fargs_record.h"
#include "base/outfile.h"

/* Lines are written in pieces of about this size, and whenever all that is there was read. */
#define TEXT_BYTES	(64u << 10)

static void print_help(void)
{
	printf("Usage: fargs trace -f SELECTOR... [OPTION...] [-- COMMAND...]\n"
	       "Shows calls of kernel functions with their arguments, as they happen.\n\n"
	       "  -o FILE   write there instead of to stdout\n"
	       "  --zeros   members of structs that are 0, too, where memory was fetched\n%s%s",
	       fargs_live_options_help, fargs_capture_options_help);
}

struct live {
	const struct fargs_capture_options *options;
	struct fargs_outfile file;	/* path NULL: stdout */
	FILE *out;
	struct fargs_buf text;	/* lines that are not written yet */
	struct fargs_live events;
	struct fargs_graph *graph;	/* NULL: a line for each event */
	uint64_t nr_events;	/* that were shown */
	bool is_terminal;	/* the status line may be on it, too */
	bool is_done;		/* as many as are wanted */
};

static int fail_write(const struct live *live, int why, struct fargs_error_text *err)
{
	return fargs_fail(err, why, "cannot write to %s: %s",
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

static int begin(void *arg, const struct fargs_capture_options *options, struct fargs_meta *meta,
		 struct fargs_error_text *err)
{
	struct live *live = arg;
	int ret;

	live->options = options;
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

	/* A call that waits for what comes next is not held back for long. */
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

/* What was lost behind the last record of its CPU, so that no record could tell. */
static int write_last_losses(struct live *live)
{
	const struct fargs_meta *meta = live->events.meta;
	unsigned int i, cpu, nr = meta->info.nr_cpus;

	/* Behind the last event that was wanted. */
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

static void tell(void *arg, struct fargs_progress_taken *taken, bool *is_done)
{
	const struct live *live = arg;

	taken->nr_events = live->nr_events;
	*is_done = live->is_done;
}

/* What -o names was replaced, and stays. */
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

int cmd_trace(int argc, char **argv)
{
	static const struct fargs_capture_verb verb = {
		.print_help = print_help,
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
