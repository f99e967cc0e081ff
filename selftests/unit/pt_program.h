/* SPDX-License-Identifier: GPL-2.0-only */
/* A program of a few bytes, a trace of it made by hand, and the state for decoding both. */
#ifndef SELFTESTS_PT_PROGRAM_H
#define SELFTESTS_PT_PROGRAM_H

#include <string.h>

#include "source/pt/input/input.h"
#include "source/pt/trace/decoder.h"
#include "unit/perf_world.h"
#include "unit/temp_file.h"

/* Address of the program. */
#define CODE	0x1000

static struct world trace;
static struct fargs_pt_input in;
static struct fargs_error_text err;

/*
 * Initializes @in and an empty @trace. Writes @code, which is the kernel's code, to the temporary
 * file.
 */
__attribute__((unused)) static void set_code(const void *code, size_t n)
{
	struct fargs_pt_code c = { .bytes = n, .addr = CODE, .pid = -1 };

	temp_write(code, n);
	fargs_pt_input_init(&in);
	in.config.has_kernel = true;
	in.config.has_time = true;
	in.config.time_mult = 1;
	c.path = strdup(temp_path);
	CHECK(!fargs_pt_input_add_code(&in, &c));
	trace.n = 0;
}

/* Decodes @trace, one segment, into @flow. @has_runs: see fargs_pt_decoder_forget_runs(). */
__attribute__((unused)) static void decode_trace(struct fargs_pt_flow *flow, uint64_t switch_addr,
						 bool has_runs)
{
	struct fargs_pt_piece piece = { .bytes = trace.bytes, .size = trace.n, .begins = true };
	struct fargs_pt_stream s = { .tid = -1, .pieces = &piece, .nr_pieces = 1 };
	struct fargs_pt_text *text = fargs_pt_text_create(&in, FARGS_PT_ENGINE_FARGS, &err);
	struct fargs_pt_decoder *d = fargs_pt_decoder_create(&in, text, switch_addr);
	struct fargs_pt_segments segs = { };

	if (!has_runs)
		fargs_pt_decoder_forget_runs(d);
	CHECK(!fargs_pt_segments_init(&segs, &s, UINT64_MAX));
	CHECK_INT(segs.nr, 1);
	CHECK(segs.nr && !fargs_pt_decoder_run(d, &segs.all[0], flow));
	fargs_pt_segments_deinit(&segs);
	fargs_pt_decoder_destroy(d);
	fargs_pt_text_destroy(text);
}

#endif
