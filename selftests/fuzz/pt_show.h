/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code shared by the fuzzers of Intel PT recordings: a trace, mutations of bytes, and all ways to
 * show a recording.
 */
#ifndef FUZZ_PT_SHOW_H
#define FUZZ_PT_SHOW_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/pt_branches.h"
#include "cmd/report/pt_calls.h"
#include "fuzz/random.h"
#include "fuzz/source_show.h"
#include "source/pt/events/branches.h"
#include "source/pt/events/calls.h"
#include "source/pt/trace/packets.h"
#include "source/pt/trace/trace.h"
#include "unit/perf_world.h"

static struct fuzz_random rng;
static uint64_t bytes_out;

__attribute__((unused)) static int count(void *arg, const char *text, size_t bytes)
{
	bytes_out += bytes;
	/* Limit the output: more than a megabyte would not test more. */
	return bytes_out > 1 << 20 ? -ECANCELED : 0;
}

/* Decodes instruction by instruction, and shows calls and returns as well. */
__attribute__((unused)) static void show_insns(struct fargs_pt_input *in,
					       struct fargs_error_text *err)
{
	static const struct fargs_pt_branches_options wanted = {
		.has_calls = true, .has_returns = true, .insn_period = 2,
	};
	const struct fargs_pt_trace_options how = { .nr_threads = 1, .is_by_insn = true,
						    .has_cycles = true };
	struct fargs_pt_branches *b = fargs_pt_branches_create(in, &wanted, 1);
	struct fargs_pt_view view = fargs_pt_branches_view(b);

	bytes_out = 0;
	fargs_pt_trace_run(in, &how, &view, count, NULL, err);
	fargs_pt_branches_destroy(b);
}

/*
 * Shows the events of @source, or, where it is NULL, checks that @err, empty before, says why. A
 * mutated trace may be refused, because of its number of CPUs for example.
 */
static void show_or_refuse(struct fargs_event_source *source, struct fargs_error_text *err)
{
	if (source) {
		source_show(source, err);
	} else if (!err->text[0] || strchr(err->text, '\n')) {
		fprintf(stderr, "a trace was refused without a reason: '%s'\n", err->text);
		abort();
	}
}

/* Adds an event whose samples have all that PEBS records can have, and one that knows a counter. */
static void add_pebs_events(struct fargs_pt_input *in)
{
	const struct fargs_pt_pebs_event all = {
		.attr = { .sample_type = UINT64_MAX, .sample_regs_intr = UINT64_MAX },
		.name = strdup("all"),
	}, none = { .name = strdup("none") };
	const struct fargs_pt_pebs_counter counter = { .cpu = 1, .tid = -1, .event = 1 };

	if (fargs_pt_input_add_pebs_event(in, &all) || fargs_pt_input_add_pebs_event(in, &none) ||
	    fargs_pt_input_add_pebs_counter(in, &counter))
		abort();
}

/* Shows branches, instructions, errors, what other packets report, and calls as events. */
__attribute__((unused)) static void show_events(struct fargs_pt_input *in,
						struct fargs_error_text *err)
{
	static const struct fargs_pt_which which = {
		.has_branches = true, .insn_period = 3, .has_errors = true, .has_ptwrites = true,
		.chain_max = 4, .branches_max = 4,
		.wants = FARGS_PT_WANTS_POWER | FARGS_PT_WANTS_TSX | FARGS_PT_WANTS_EVENTS |
			 FARGS_PT_WANTS_PEBS,
	};
	static const struct fargs_pt_shown_options calls = {
		.has_returns = true,
	};
	const struct fargs_pt_trace_options how = { .nr_threads = 1 };
	struct fargs_event_source *source;
	struct fargs_meta meta;

	add_pebs_events(in);
	err->text[0] = '\0';
	source = fargs_pt_branches_source(in, &which, &meta, err);
	show_or_refuse(source, err);
	fargs_pt_branches_source_destroy(source);
	fargs_meta_deinit(&meta);
	err->text[0] = '\0';
	source = fargs_pt_calls_source(in, &calls, &how, &meta, err);
	show_or_refuse(source, err);
	fargs_pt_calls_source_destroy(source);
	fargs_meta_deinit(&meta);
}

__attribute__((unused)) static void show(struct fargs_pt_input *in, struct fargs_error_text *err)
{
	static const struct fargs_pt_branches_options wanted = {
		.has_branches = true, .has_errors = true,
	};
	const struct fargs_pt_trace_options how = { .nr_threads = 1, .segment_bytes = 1 };
	static const struct fargs_pt_shown_options calls = {
		.has_returns = true,
	};
	struct fargs_pt_branches *b = fargs_pt_branches_create(in, &wanted, 1);
	struct fargs_pt_call_lines *c = fargs_pt_call_lines_create(in, &calls);
	struct fargs_pt_view view = fargs_pt_branches_view(b);
	uint64_t nr_errors = 0;
	size_t i;

	bytes_out = 0;
	for (i = 0; i < in->nr_streams; i++)
		fargs_pt_packets_dump(&in->config, &in->streams[i], count, NULL, &nr_errors);
	bytes_out = 0;
	fargs_pt_trace_run(in, &how, &view, count, NULL, err);
	fargs_pt_branches_destroy(b);
	view = fargs_pt_call_lines_view(c);
	bytes_out = 0;
	fargs_pt_trace_run(in, &how, &view, count, NULL, err);
	fargs_pt_call_lines_destroy(c);
	show_insns(in, err);
	show_events(in, err);
}

static void mutate(uint8_t *bytes, size_t *n)
{
	unsigned int times = 1 + fuzz_below(&rng, 6);
	uint64_t v;
	size_t at;

	while (times-- && *n > 8) {
		at = fuzz_below(&rng, *n);
		switch (fuzz_below(&rng, 6)) {
		case 0:
			bytes[at] ^= 1 << fuzz_below(&rng, 8);
			break;
		case 1:
			bytes[at] = fuzz_random(&rng);
			break;
		case 2:
			*n = 8 + fuzz_below(&rng, *n - 8);
			break;
		case 3:
			memmove(bytes + at, bytes + fuzz_below(&rng, at + 1), *n - at);
			break;
		default:
			/* Change an aligned word, which may be a length or an offset. */
			at = fuzz_below(&rng, *n - 7) & ~7ul;
			v = fuzz_once_in(&rng, 2) ? fuzz_below(&rng, 300) :
			    1ull << fuzz_below(&rng, 64);
			memcpy(bytes + at, &v, fuzz_once_in(&rng, 2) ? 2 : 8);
		}
	}
}

/* A PEBS record: an address, a counter, registers, memory, a branch, and no FUP. */
static void put_pebs(struct world *w)
{
	put_bytes(w, "\x02\x63\x84\x04\1\2\3\4\x0c\1\0\0\0", 13);
	put_bytes(w, "\x02\x63\x81\x04\1\2\3\4\xfc\5\6\7\x8", 13);
	put_bytes(w, "\x02\x63\x85\x14\1\2\3\4\x1c\1\0\0\0", 13);
	put_bytes(w, "\x02\x63\x88\x04\1\2\3\4\x0c\1\0\0\0\x14\1\0\0\0", 18);
	put_bytes(w, "\x02\x63\x90\x24\1\2\3\4\x02\x33", 10);
}

__attribute__((unused)) static void put_trace(struct world *w, uint64_t ip)
{
	put_psb(w, 5000, ip);
	put_bytes(w, "\xe6\x0c\x03", 3);	/* TNT-8s */
	put_psb(w, 6000, ip);
	put_bytes(w, "\x2d\x10\x20", 3);	/* TIP */
	put_pebs(w);
	put_bytes(w, "\x02\xf3", 2);		/* OVF */
	put_psb(w, 7000, 0);
}

#endif
