// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs trace: live lines.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture_verb.h"
#include "cmd.h"
#include "decode/clock.h"
#include "decode/decoder.h"
#include "out/graph.h"
#include "out/text.h"
#include "ring/merge.h"

/* Lines are written in pieces of about this size, and whenever all that is there was read. */
#define TEXT_BYTES	(64u << 10)

static void print_help(void)
{
	printf("Usage: fargs trace -f SELECTOR... [OPTION...] [-- COMMAND...]\n"
	       "Shows calls of kernel functions with their arguments, as they happen.\n\n"
	       "  -o FILE   write there instead of to stdout\n"
	       "  --zeros   members of structs that are 0, too, where memory was fetched\n%s",
	       fargs_capture_options_help);
}

struct live {
	const char *path;	/* NULL: stdout */
	FILE *out;
	struct fargs_buf text;	/* lines that are not written yet */
	struct fargs_meta *meta;
	struct fargs_decoder *decoder;
	struct fargs_clockline *clock;	/* of the decoder */
	struct fargs_merge *merge;
	struct fargs_graph *graph;	/* NULL: a line for each event */
};

static int fail_write(const struct live *live, int why, struct fargs_error_text *err)
{
	return fargs_fail(err, why, "cannot write to %s: %s", live->path ? live->path : "stdout",
			  strerror(why));
}

static int write_text(struct live *live)
{
	size_t n = live->text.n;

	live->text.n = 0;
	errno = 0;
	return fwrite_unlocked(live->text.text, 1, n, live->out) == n ? 0 :
	       errno ? -errno : -EIO;
}

static uint64_t date(void *arg, unsigned int cpu, uint64_t tsc)
{
	struct live *live = arg;

	/* Behind the CPUs there are their events, which have ns. */
	return cpu < live->meta->info.nr_cpus ? fargs_clockline_ns(live->clock, cpu, tsc) : tsc;
}

static int on_merged(void *arg, const struct fargs_stamped *stamped)
{
	struct live *live = arg;
	struct fargs_stamped own = *stamped;
	struct fargs_event ev;
	int ret;

	own.cpu %= live->meta->info.nr_cpus;
	ret = fargs_decoder_stamped(live->decoder, &own, &ev);
	/* What makes no sense was counted, and is told at the end. */
	if (ret == -EIO)
		return 0;
	if (ret)
		return ret;
	ret = live->graph ? fargs_graph_event(live->graph, &live->text, &ev)
			  : fargs_text_event(&live->text, live->decoder, &ev);
	return !ret && live->text.n >= TEXT_BYTES ? write_text(live) : ret;
}

static int begin(void *arg, const struct fargs_capture_options *options, struct fargs_meta *meta,
		 struct fargs_error_text *err)
{
	struct live *live = arg;

	live->path = options->output;
	live->meta = meta;
	live->out = live->path ? fopen(live->path, "we") : stdout;
	if (!live->out)
		return fargs_fail(err, errno, "cannot open '%s': %s", live->path, strerror(errno));
	live->decoder = fargs_decoder_create(meta, err);
	if (!live->decoder)
		return -EINVAL;
	live->clock = fargs_decoder_clock(live->decoder);
	if (!live->clock)
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	fargs_decoder_set_zeros(live->decoder, options->has_zeros);
	if (fargs_meta_has_graph(meta)) {
		live->graph = fargs_graph_create(live->decoder);
		if (!live->graph)
			return fargs_fail(err, ENOMEM, "no memory for a graph");
	}
	live->merge = fargs_merge_create((meta->has_events ? 2 : 1) * meta->info.nr_cpus, date,
					 on_merged, live);
	if (!live->merge)
		return fargs_fail(err, ENOMEM, "no memory to merge CPUs");
	return 0;
}

static int take_records(void *arg, unsigned int cpu, const void *records, size_t bytes,
			uint64_t unread, struct fargs_error_text *err)
{
	struct live *live = arg;
	int ret = fargs_merge_add(live->merge, cpu, records, bytes);

	if (ret == -EIO)
		return fargs_fail(err, EIO,
				  "records of CPU %u make no sense: the module is broken", cpu);
	return ret ? fargs_fail(err, -ret, "no memory for records: trace fewer functions") : 0;
}

static int take_events(void *arg, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err)
{
	struct live *live = arg;
	int ret = fargs_merge_add(live->merge, live->meta->info.nr_cpus + cpu, records, bytes);

	return ret ? fargs_fail(err, -ret, "no memory for events: choose fewer") : 0;
}

static int take_clock(void *arg, const struct fargs_clock_sample *samples,
		      struct fargs_error_text *err)
{
	struct live *live = arg;

	if (fargs_clockline_add(live->clock, samples))
		return fargs_fail(err, ENOMEM, "no memory for the clocks");
	return 0;
}

/* Before which all has come, and has the time that it keeps. */
static uint64_t safe_ns(const struct live *live, uint64_t now_tsc)
{
	uint64_t ns = fargs_clockline_settled(live->clock);

	/* Without the module there is no clock: events come in order. */
	if (now_tsc == FARGS_CAPTURE_END || live->meta->is_bare)
		return UINT64_MAX;
	if (ns == UINT64_MAX)
		ns = fargs_clockline_ns(live->clock, 0, now_tsc);
	return ns > FARGS_CAPTURE_LATE_NS ? ns - FARGS_CAPTURE_LATE_NS : 0;
}

static int drained(void *arg, uint64_t now_tsc, uint64_t held_ns, struct fargs_error_text *err)
{
	struct live *live = arg;
	uint64_t safe = safe_ns(live, now_tsc);
	int ret = fargs_merge_flush(live->merge, safe < held_ns ? safe : held_ns);

	/* A call that waits for what comes next is not held back for long. */
	if (!ret && live->graph)
		ret = fargs_graph_flush(live->graph, &live->text,
					now_tsc == FARGS_CAPTURE_END);
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
	const struct fargs_meta *meta = live->meta;
	unsigned int i, cpu, nr = meta->info.nr_cpus;

	for (i = 0; i < 2 * nr; i++) {
		const struct fargs_event ev = {
			.kind = FARGS_KIND_LOST,
			.cpu = cpu = i % nr,
			.is_event = i >= nr,
			.lost = fargs_meta_pending(meta, cpu, i >= nr),
		};

		if (ev.lost && fargs_text_event(&live->text, live->decoder, &ev))
			return -ENOMEM;
	}
	return write_text(live);
}

static int end(void *arg, struct fargs_error_text *err)
{
	struct live *live = arg;
	FILE *out = live->out;
	int ret = write_last_losses(live);

	if (!ret && fflush(out))
		ret = -errno;
	if (ret)
		return fail_write(live, -ret, err);

	live->out = NULL;
	if (live->path && fclose(out))
		return fail_write(live, errno, err);
	return 0;
}

/* What -o names was emptied, and stays. */
static void cancel(void *arg)
{
}

static void live_deinit(struct live *live)
{
	if (live->path && live->out)
		fclose(live->out);
	fargs_buf_deinit(&live->text);
	fargs_merge_destroy(live->merge);
	fargs_graph_destroy(live->graph);
	if (live->decoder)
		fargs_decoder_destroy(live->decoder);
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
