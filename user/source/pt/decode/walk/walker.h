/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes segments of a trace into flows (flow.h): walks the graph of the code (graph.h) as the
 * packets of the trace say.
 *
 * Where the code is missing, or does not fit the trace, the flow has an ERROR, and continues at the
 * next packet that has an address. Nothing in between is believed.
 */
#ifndef FARGS_SOURCE_PT_DECODE_WALK_WALKER_H
#define FARGS_SOURCE_PT_DECODE_WALK_WALKER_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/code/memory.h"
#include "source/pt/decode/flow.h"
#include "source/pt/decode/names.h"
#include "source/pt/decode/segments.h"
#include "source/pt/input/input.h"

struct fargs_pt_walker;

struct fargs_pt_walker_options {
	uint64_t switch_addr;	/* address of the instruction that switches tasks; 0: unknown */
	bool is_by_insn;	/* add an item for each instruction */
	bool is_by_block;	/* add an item for instructions that follow each other */
	/* Items of instructions have last_bytes and FARGS_PT_HAS_BIT. */
	bool has_ends;
	bool has_cycles;	/* count cycles, if the recording has them */
	uint8_t wants;		/* enum fargs_pt_wants */
	/*
	 * Omit jumps, conditional or not, unless a function of @begins begins at their target;
	 * NULL: omit all jumps.
	 */
	bool omits_jumps;
	const struct fargs_pt_names *begins;
	bool has_no_runs;	/* do not remember runs (runs.h): slower, with the same result */
};

/* @in, @memory and @options->begins must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_walker *fargs_pt_walker_create(const struct fargs_pt_input *in,
					       const struct fargs_pt_memory *memory,
					       const struct fargs_pt_walker_options *options);
void fargs_pt_walker_destroy(struct fargs_pt_walker *w);

/* Decodes @seg into @flow, whose previous content is discarded. Returns 0 or -ENOMEM. */
int fargs_pt_walker_run(struct fargs_pt_walker *w, const struct fargs_pt_segment *seg,
			struct fargs_pt_flow *flow);

#endif
