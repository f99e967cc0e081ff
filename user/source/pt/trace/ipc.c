// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/ipc.h"

void fargs_pt_ipc_begin(struct fargs_pt_ipc_count *c, const struct fargs_pt_part *part)
{
	c->mark = 0;
	c->nr_insns = part->nr_insns;
}

void fargs_pt_ipc_take(struct fargs_pt_ipc_count *c, const struct fargs_pt_part *part, size_t i,
		       uint32_t nr_later, struct fargs_pt_insn_cycles *ipc)
{
	const struct fargs_pt_flow *flow = &part->flow;
	uint64_t nr_cycles = part->nr_cycles, nr_insns = c->nr_insns - nr_later;

	while (c->mark < flow->nr_cycle_marks && flow->cycles[c->mark].item < i)
		c->mark++;
	if (c->mark < flow->nr_cycle_marks && flow->cycles[c->mark].item == i)
		nr_cycles += flow->cycles[c->mark].nr;
	else if (!c->is_vague && !c->is_estimated)
		return;
	else if (c->mark)
		nr_cycles += flow->cycles[c->mark - 1].nr;
	if (nr_cycles <= c->reported.nr_cycles)
		return;
	ipc->nr_cycles = nr_cycles - c->reported.nr_cycles;
	ipc->nr_insns = nr_insns - c->reported.nr_insns;
	c->reported = (struct fargs_pt_insn_cycles){ .nr_insns = nr_insns, .nr_cycles = nr_cycles };
}
