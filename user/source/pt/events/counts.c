// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/counts.h"

#include <errno.h>
#include <stdlib.h>

#include "base/row.h"

void fargs_pt_counter_begin(struct fargs_pt_counter *c, const struct fargs_pt_part *part)
{
	if (!c->nr_traces)
		c->nr_traces = (uint64_t)part->seg->stream->cpu << 32;
	c->nr_traces += part->seg->is_first;
	fargs_pt_ipc_begin(&c->branch_ipc, part);
	fargs_pt_ipc_begin(&c->insn_ipc, part);
	fargs_pt_ipc_begin(&c->cycle_ipc, part);
}

/* Returns whether item @at + 1 is the branch at the end of item @at. */
static bool is_taken(const struct fargs_pt_flow *flow, size_t at)
{
	return at + 1 < flow->nr && flow->items[at + 1].kind == FARGS_PT_BRANCH &&
	       !flow->items[at + 1].nr_insns;
}

/*
 * If the last instruction is a branch that was taken, the branch follows as an item without
 * instructions of its own, and the trace reports cycles there.
 */
void fargs_pt_counter_insn(struct fargs_pt_counter *c, const struct fargs_pt_part *part, size_t at,
			   uint32_t nr_later, struct fargs_pt_ipc_count *ipc,
			   struct fargs_pt_counts *counts)
{
	const struct fargs_pt_flow *flow = &part->flow;
	const struct fargs_pt_item *next = &flow->items[at + 1];

	*counts = (struct fargs_pt_counts){ };
	if ((!nr_later || ipc->is_vague) && (fargs_row(C6) || is_taken(flow, at)))
		fargs_pt_ipc_take(ipc, part, at, nr_later, &counts->ipc);
	if (nr_later)
		return;
	if (!is_taken(flow, at))
		return;
	counts->addr = next->to;
	if (!counts->ipc.nr_cycles)
		fargs_pt_ipc_take(ipc, part, at + 1, 0, &counts->ipc);
}

void fargs_pt_counter_branch(struct fargs_pt_counter *c, const struct fargs_pt_part *part,
			     size_t at, bool is_shown, struct fargs_pt_counts *counts)
{
	*counts = (struct fargs_pt_counts){ };
	if (is_shown)
		fargs_pt_ipc_take(&c->branch_ipc, part, at, 0, &counts->ipc);
	/* The instruction at the address of an interrupt was not executed. */
	if (!fargs_row(C5) && part->flow.items[at].kind == FARGS_PT_INTERRUPT)
		counts->ipc.nr_insns++;
}

int fargs_pt_counts_keep(struct fargs_batch *batch, uint32_t details,
			 const struct fargs_pt_counts *counts)
{
	struct fargs_pt_counts *all = batch->counts;

	if (!(details & FARGS_PT_COUNTED))
		return 0;
	if (!all)
		all = calloc(FARGS_BATCH_ITEMS, sizeof(*all));
	if (!all)
		return -ENOMEM;
	batch->counts = all;
	all[batch->nr - 1] = *counts;
	return 0;
}

void fargs_pt_counts_set(const struct fargs_batch *batch, unsigned int i,
			 struct fargs_event_sample *sample)
{
	const struct fargs_pt_counts *counts = batch->counts;

	if (!counts)
		return;
	counts += i;
	sample->nr_insns = counts->ipc.nr_insns;
	sample->nr_cycles = counts->ipc.nr_cycles;
	sample->depth = counts->depth;
	sample->addr = counts->addr;
	sample->piece = counts->piece;
}
