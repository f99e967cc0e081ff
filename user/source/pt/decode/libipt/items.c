// SPDX-License-Identifier: GPL-2.0-only
/* Adds items, their times and their cycles to a flow. */
#include "source/pt/decode/libipt/state.h"

#include "base/array.h"

struct fargs_pt_item *fargs_pt_add_item(struct fargs_pt_libipt *d, enum fargs_pt_item_kind kind,
					uint64_t from, uint64_t to)
{
	struct fargs_pt_flow *flow = d->flow;

	if (flow->nr == flow->room && !fargs_pt_flow_grow(flow)) {
		/* Out of memory: overwrite the last item. The flow will be discarded anyway. */
		d->is_short = true;
		if (!flow->nr)
			return &d->nowhere;
		flow->nr--;
	}
	return fargs_pt_put_item(d, kind, from, to);
}

void fargs_pt_add_cycle_mark(struct fargs_pt_libipt *d, uint64_t nr)
{
	struct fargs_pt_flow *flow = d->flow;
	struct fargs_pt_cycle_mark *to = fargs_array_push(flow->cycles, flow->nr_cycle_marks,
							  flow->cycles_room);

	if (!to) {
		d->is_short = true;
		return;
	}
	*to = (struct fargs_pt_cycle_mark){ .item = flow->nr - 1, .nr = nr };
}

void fargs_pt_led_by(struct fargs_pt_libipt *d, enum fargs_pt_led lead)
{
	uint64_t nr;

	if (d->cycles && fargs_pt_cycles_take(d->cycles, lead, &nr))
		fargs_pt_add_cycle_mark(d, nr);
}

void fargs_pt_set_time(struct fargs_pt_libipt *d, uint64_t tsc)
{
	d->tsc = tsc;
	if (tsc <= d->times[0] || tsc - d->times[0] < d->tick)
		return;
	d->times[2] = d->times[1];
	d->times[1] = d->times[0];
	d->times[0] = tsc;
	if (!d->nr_ticks)
		return;
	d->nr_ticks--;
	fargs_pt_add_item(d, FARGS_PT_TICK, 0, tsc);
}
