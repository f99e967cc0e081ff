/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Details of items that are counted from item to item of a stream (enum fargs_event_detail), and
 * for which struct fargs_item has no room.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_COUNTS_H
#define FARGS_SOURCE_PT_EVENTS_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/batch.h"
#include "model/event.h"
#include "source/pt/trace/ipc.h"

#define FARGS_PT_COUNTED	(FARGS_DETAIL_IPC | FARGS_DETAIL_DEPTH | FARGS_DETAIL_ADDR)

/* Of one item. */
struct fargs_pt_counts {
	struct fargs_pt_insn_cycles ipc;
	unsigned int depth;		/* see source/pt/events/depth.h */
	uint64_t addr;			/* target of an instruction that branches; 0: none */
	uint64_t piece;			/* nr_traces of struct fargs_pt_counter */
};

/* State of a stream. Initialize with zeroes. */
struct fargs_pt_counter {
	/* As in perf, branches and instructions are counted each for themselves. */
	struct fargs_pt_ipc_count branch_ipc, insn_ipc, cycle_ipc;
	/* Identifies the CPU, and the piece of its trace that does not continue another one. */
	uint64_t nr_traces;
};

/* Begins counting @part. Must be called for all parts of a stream, in order. */
void fargs_pt_counter_begin(struct fargs_pt_counter *c, const struct fargs_pt_part *part);

/* Counts the instructions of item @at. Must be called for each item, in order. */
static inline void fargs_pt_counter_executed(struct fargs_pt_counter *c,
					     const struct fargs_pt_part *part, size_t at)
{
	fargs_pt_ipc_executed(&c->branch_ipc, part, at);
	fargs_pt_ipc_executed(&c->insn_ipc, part, at);
	fargs_pt_ipc_executed(&c->cycle_ipc, part, at);
}

/* Sets when cycles are reported: see struct fargs_pt_ipc_count. */
static inline void fargs_pt_counter_init(struct fargs_pt_counter *c, bool is_vague,
					 bool is_estimated)
{
	struct fargs_pt_ipc_count count = { .is_vague = is_vague, .is_estimated = is_estimated };

	*c = (struct fargs_pt_counter){
		.branch_ipc = count, .insn_ipc = count, .cycle_ipc = count,
	};
}

/*
 * Sets @counts for an instruction of item @at, which @nr_later others follow: to the last one,
 * which may be a branch, cycles belong. @ipc: the member of @c for this kind of event.
 */
void fargs_pt_counter_insn(struct fargs_pt_counter *c, const struct fargs_pt_part *part, size_t at,
			   uint32_t nr_later, struct fargs_pt_ipc_count *ipc,
			   struct fargs_pt_counts *counts);

/* Sets @counts for the branch that is item @at, or belongs to it. @is_shown: as an event. */
void fargs_pt_counter_branch(struct fargs_pt_counter *c, const struct fargs_pt_part *part,
			     size_t at, bool is_shown, struct fargs_pt_counts *counts);

/* Keeps @counts for the last item of @batch, if @details need them. Returns 0 or -ENOMEM. */
int fargs_pt_counts_keep(struct fargs_batch *batch, uint32_t details,
			 const struct fargs_pt_counts *counts);
/* Sets the counts of @sample, that of the event of item @i. */
void fargs_pt_counts_set(const struct fargs_batch *batch, unsigned int i,
			 struct fargs_event_sample *sample);

#endif
