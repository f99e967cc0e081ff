/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts instructions and cycles between two branches of the same CPU.
 */
#ifndef FARGS_SOURCE_PT_TRACE_IPC_H
#define FARGS_SOURCE_PT_TRACE_IPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/trace/trace.h"

struct fargs_pt_insn_cycles {
	uint64_t nr_insns;
	uint64_t nr_cycles;	/* 0: the trace does not report cycles at this branch */
};

/* State of counting for one stream. Initialize with zeroes. */
struct fargs_pt_ipc_count {
	size_t mark;			/* index of the next cycle mark in the part's flow */
	/* Report cycles at the first item after they changed: less exact, but at any item. */
	bool is_vague;
	/* Likewise, but of instructions, as in perf, only at the last one of an item: by MTCs. */
	bool is_estimated;
	uint64_t nr_insns;		/* number of instructions up to the current item */
	struct fargs_pt_insn_cycles reported;	/* total counts at the last item with cycles */
};

/* Begins counting @part. Must be called for all parts of a stream, in order. */
void fargs_pt_ipc_begin(struct fargs_pt_ipc_count *c, const struct fargs_pt_part *part);

/* Counts the instructions of item @i of @part. Must be called for each item, in order. */
static inline void fargs_pt_ipc_executed(struct fargs_pt_ipc_count *c,
					 const struct fargs_pt_part *part, size_t i)
{
	c->nr_insns += part->flow.items[i].nr_insns;
}

/*
 * If the trace reports cycles at item @i of @part, sets @ipc to the counts since the last item for
 * which this function set @ipc. Leaves @ipc unchanged if the trace reports no cycles at item @i, or
 * no more cycles than at that last item. @nr_later: instructions of the item that are after the one
 * which is asked for; 0 unless @c->is_vague.
 */
void fargs_pt_ipc_take(struct fargs_pt_ipc_count *c, const struct fargs_pt_part *part, size_t i,
		       uint32_t nr_later, struct fargs_pt_insn_cycles *ipc);

#endif
