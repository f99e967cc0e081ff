// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures the cost of decoding an Intel PT recording to calls, compared with libipt's block
 * decoder alone, which runs with the same flags on the same code and reads all events. Prints lines
 * "KEY VALUE":
 *
 *	instructions, calls	numbers of the recording
 *	libipt-us		CPU time of the block decoder
 *	calls-us		CPU time of decoding to calls, with one thread
 *	wall-N-us		elapsed time of decoding to calls, with N threads
 *
 * Each time is the minimum of ROUNDS rounds. A round measures all of them in turn, so that a
 * temporary slowdown of the machine affects all.
 *
 *	flow FILE ROUNDS [THREADS...]
 *	flow load|blocks|libipt|THREADS FILE
 *
 * The second form, for callgrind, runs one of them once and prints nothing: only reads the file;
 * runs the block decoder, which has the code of the kernel only; decodes to calls by libipt; or by
 * fargs' decoder, with this number of threads.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/report/pt_calls.h"
#include "source/pt/decode/libipt/config.h"
#include "source/pt/decode/libipt/image.h"
#include "source/pt/input/read.h"
#include "source/pt/trace/trace.h"

#define WAYS_MAX	16

struct costs {
	double cpu_us, wall_us;
};

static struct fargs_pt_input in;
static struct fargs_error_text err;
static uint64_t nr_insns;
static struct fargs_pt_calls_counts counts;

static double us_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int fail(const char *what)
{
	fprintf(stderr, "flow: %s\n", what);
	return -1;
}

/*
 * Starts at the PSB at which @d is synchronized, and decodes until an error or the end. Returns
 * libipt's status.
 */
static int follow(struct pt_block_decoder *d, int status)
{
	struct pt_event event;
	struct pt_block block;

	for (;;) {
		while (status & pts_event_pending) {
			status = pt_blk_event(d, &event, sizeof(event));
			if (status < 0)
				return status;
		}
		if (status & pts_eos)
			return -pte_eos;
		status = pt_blk_next(d, &block, sizeof(block));
		if (status != -pte_eos)
			nr_insns += block.ninsn;
		if (status < 0)
			return status;
	}
}

/* Decodes one run of pieces with libipt's block decoder alone. */
static int decode_run(const struct fargs_pt_segment *seg, struct fargs_pt_image *image)
{
	struct fargs_pt_window w = { };
	struct pt_block_decoder *d;
	struct pt_config config;
	const uint8_t *bytes;
	uint64_t got;
	int status;

	bytes = fargs_pt_window_get(&w, seg->stream, seg->piece, seg->begin,
				    seg->end - seg->begin, &got);
	if (!bytes)
		return fail("out of memory");
	if (!got)
		return 0;
	fargs_pt_libipt_configure(&config, &in.config, bytes, got);
	config.flags.variant.block.end_on_call = 1;
	config.flags.variant.block.end_on_jump = 1;
	d = pt_blk_alloc_decoder(&config);
	if (!d || pt_blk_set_image(d, fargs_pt_image_at(image, -1, 0)) < 0)
		return fail("out of memory");
	for (status = pt_blk_sync_forward(d); status >= 0; status = pt_blk_sync_forward(d)) {
		status = follow(d, status);
		if (status != -pte_eos)
			return fail(pt_errstr(pt_errcode(status)));
		break;
	}
	pt_blk_free_decoder(d);
	free(w.bytes);
	return 0;
}

static int decode_blocks(const struct fargs_pt_stream *s, struct fargs_pt_sections *text)
{
	struct fargs_pt_image *image = fargs_pt_image_create(text);
	struct fargs_pt_segments segs;
	int ret = 0;
	size_t i;

	if (!image || fargs_pt_segments_init(&segs, s, UINT64_MAX))
		return fail("out of memory");
	for (i = 0; !ret && i < segs.nr; i++)
		ret = decode_run(&segs.all[i], image);
	fargs_pt_segments_deinit(&segs);
	fargs_pt_image_destroy(image);
	return ret;
}

static int run_libipt(void)
{
	struct fargs_pt_sections *text = fargs_pt_sections_create(&in, &err);
	int ret = text ? 0 : fail(err.text);
	size_t i;

	nr_insns = 0;
	for (i = 0; !ret && i < in.nr_streams; i++)
		ret = decode_blocks(&in.streams[i], text);
	fargs_pt_sections_destroy(text);
	return ret;
}

static int take_nothing(void *arg, const char *text, size_t bytes)
{
	return 0;
}

/* Decodes to calls, but writes no lines, since no line is within the time window. */
static int run_calls(unsigned int nr_threads, enum fargs_pt_engine engine)
{
	static struct fargs_time_range never = { UINT64_MAX, 0 };
	static const struct fargs_pt_shown_options wanted = {
		.window = { .ranges = &never, .nr = 1 },
	};
	const struct fargs_pt_trace_options how = { .nr_threads = nr_threads, .engine = engine };
	struct fargs_pt_call_lines *c = fargs_pt_call_lines_create(&in, &wanted);
	struct fargs_pt_view view;
	int ret;

	if (!c)
		return fail("out of memory");
	view = fargs_pt_call_lines_view(c);
	ret = fargs_pt_trace_run(&in, &how, &view, take_nothing, NULL, &err);
	counts = *fargs_pt_call_lines_counts(c);
	fargs_pt_call_lines_destroy(c);
	return ret ? fail(err.text) : 0;
}

/* Measures one run, and updates @best. @nr_threads: 0 for libipt's block decoder. */
static int measure(unsigned int nr_threads, struct costs *best)
{
	double cpu = us_of(CLOCK_PROCESS_CPUTIME_ID), wall = us_of(CLOCK_MONOTONIC);

	if (nr_threads ? run_calls(nr_threads, FARGS_PT_ENGINE_FARGS) : run_libipt())
		return -1;
	cpu = us_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = us_of(CLOCK_MONOTONIC) - wall;
	if (!best->cpu_us || cpu < best->cpu_us)
		best->cpu_us = cpu;
	if (!best->wall_us || wall < best->wall_us)
		best->wall_us = wall;
	return 0;
}

static int run(int nr, char **threads, unsigned int nr_rounds)
{
	struct costs libipt = { }, calls[WAYS_MAX] = { };
	unsigned int round;
	int i;

	for (round = 0; round < nr_rounds; round++) {
		if (measure(0, &libipt))
			return 1;
		for (i = 0; i < nr; i++)
			if (measure(atoi(threads[i]), &calls[i]))
				return 1;
	}
	if (counts.errors)
		return fail("some of it could not be decoded"), 1;
	printf("instructions %" PRIu64 "\ncalls %" PRIu64 "\n", nr_insns, counts.calls);
	printf("libipt-us %.0f\n", libipt.cpu_us);
	for (i = 0; i < nr; i++) {
		if (!strcmp(threads[i], "1"))
			printf("calls-us %.0f\n", calls[i].cpu_us);
		printf("wall-%s-us %.0f\n", threads[i], calls[i].wall_us);
	}
	return 0;
}

/* Runs one of the ways once. */
static int run_once(const char *way)
{
	if (!strcmp(way, "load"))
		return 0;
	if (!strcmp(way, "blocks"))
		return run_libipt() ? 1 : 0;
	if (!strcmp(way, "libipt"))
		return run_calls(1, FARGS_PT_ENGINE_LIBIPT) ? 1 : 0;
	return run_calls(atoi(way), FARGS_PT_ENGINE_FARGS) ? 1 : 0;
}

int main(int argc, char **argv)
{
	bool is_once = argc == 3;
	int status, i;

	for (i = 3; i < argc; i++)
		if (atoi(argv[i]) < 1 || atoi(argv[i]) > FARGS_POOL_MAX)
			return fail("bad number of threads"), 1;
	if (!is_once && (argc < 4 || argc - 3 > WAYS_MAX || atoi(argv[2]) < 1)) {
		fprintf(stderr, "usage: flow FILE ROUNDS THREADS...\n"
			"       flow load|blocks|libipt|THREADS FILE\n");
		return 1;
	}
	fargs_pt_input_init(&in);
	if (fargs_pt_read(&in, argv[1 + is_once], NULL, &err))
		return fail(err.text), 1;
	status = is_once ? run_once(argv[1]) : run(argc - 3, argv + 3, atoi(argv[2]));
	fargs_pt_input_deinit(&in);
	return status;
}
