// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/spread.h"

/*
 * Initializes @s for all items with the same time as item @i, including earlier ones that were not
 * passed.
 */
static void begin(struct fargs_pt_spread *s, const struct fargs_pt_config *config,
		  const struct fargs_pt_part *part, size_t i)
{
	const struct fargs_pt_flow *flow = &part->flow;
	uint64_t tsc = flow->items[i].tsc;

	while (i && flow->items[i - 1].tsc == tsc)
		i--;
	s->seg = part->seg;
	s->at = i;
	s->nr_insns = 0;
	s->all_insns = 0;
	for (s->end = i; s->end < flow->nr && flow->items[s->end].tsc == tsc; s->end++)
		s->all_insns += flow->items[s->end].nr_insns;
	s->ns = fargs_pt_input_ns(config, tsc);
	s->next_ns = fargs_pt_input_ns(config, s->end < flow->nr ? flow->items[s->end].tsc :
						flow->end_tsc > tsc ? flow->end_tsc : tsc);
	s->all_insns += s->end < flow->nr ? flow->items[s->end].nr_insns : flow->nr_rest;
}

uint64_t fargs_pt_spread_ns(struct fargs_pt_spread *s, const struct fargs_pt_config *config,
			    const struct fargs_pt_part *part, size_t i, uint32_t nr_later)
{
	if (s->seg != part->seg || i >= s->end || i + 1 < s->at)
		begin(s, config, part, i);
	for (; s->at <= i; s->at++)
		s->nr_insns += part->flow.items[s->at].nr_insns;
	if (s->next_ns <= s->ns || !s->all_insns)
		return s->ns;
	return s->ns + (uint64_t)((double)(s->next_ns - s->ns) *
				  (s->nr_insns - nr_later) / s->all_insns);
}
