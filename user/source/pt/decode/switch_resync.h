/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the executed task switches of a CPU where its trace does not show them: while packets were
 * lost or the trace was off, and before the part that is decoded.
 *
 * Each task switch has a record, which is written shortly before the switch executes. So at a time
 * in the trace that is not near any record, the number of executed switches is the number of
 * earlier records. The number at an earlier item is this number minus the number of SWITCH items in
 * between.
 */
#ifndef FARGS_SOURCE_PT_DECODE_SWITCH_RESYNC_H
#define FARGS_SOURCE_PT_DECODE_SWITCH_RESYNC_H

#include <stdbool.h>
#include <stddef.h>

#include "source/pt/decode/flow.h"
#include "source/pt/input/input.h"
#include "source/pt/input/switches.h"

/* How accurately the number of executed switches is known. */
enum fargs_pt_counted {
	FARGS_PT_COUNTED_NONE,	/* unknown: there is no previous part */
	FARGS_PT_COUNTED_SEEN,	/* includes only switches in the flow; gaps may hide more */
	FARGS_PT_COUNTED_ALL,	/* exact: includes all switches that were executed */
};

/* The number of switches at a hole in the flow: where the trace was off or packets were lost. */
struct fargs_pt_switch_resync {
	size_t item;
	size_t nr;	/* number of switches before the end of the hole */
};

struct fargs_pt_switch_resyncs {
	struct fargs_pt_switch_resync *all;	/* only holes that hide switches, sorted by @item */
	size_t nr, room;
	size_t first;			/* number of switches before the flow */
	size_t last;			/* number of switches up to the end of the flow */
	enum fargs_pt_counted counted;	/* how accurately the number in @last is known */
};

void fargs_pt_switch_resyncs_deinit(struct fargs_pt_switch_resyncs *r);

/*
 * Counts the switches in @flow, the flow of @seg. @nr: number of switches before @flow, with
 * accuracy @counted. The items must still have the times that the decoder set. Returns 0 or
 * -ENOMEM.
 */
int fargs_pt_switch_resync(struct fargs_pt_switch_resyncs *r, const struct fargs_pt_config *config,
			   const struct fargs_pt_switches *sw, const struct fargs_pt_segment *seg,
			   const struct fargs_pt_flow *flow, size_t nr,
			   enum fargs_pt_counted counted);

/* State for counting switches while iterating over all items of a flow, in order. */
struct fargs_pt_count {
	size_t nr;	/* number of switches up to the current item */
	size_t next;	/* index of the next struct fargs_pt_switch_resync */
};

static inline void fargs_pt_count_begin(struct fargs_pt_count *c,
					const struct fargs_pt_switch_resyncs *r)
{
	*c = (struct fargs_pt_count){ .nr = r->first };
}

/*
 * Returns true for nearly all items: branches and instructions, which change no count. Counts
 * change only at switches and where the trace does not show what was executed.
 */
static inline bool fargs_pt_count_is_same(const struct fargs_pt_item *item)
{
	return item->kind == FARGS_PT_BRANCH || item->kind == FARGS_PT_EXECUTED;
}

/* Counts item @i of @flow. Returns true if another task may run after the item. */
static inline bool fargs_pt_count_take(struct fargs_pt_count *c,
				       const struct fargs_pt_switch_resyncs *r,
				       const struct fargs_pt_flow *flow, size_t i)
{
	if (fargs_pt_count_is_same(&flow->items[i]))
		return false;
	if (c->next < r->nr && r->all[c->next].item == i) {
		c->nr = r->all[c->next++].nr;
		return true;
	}
	if (flow->items[i].kind != FARGS_PT_SWITCH)
		return false;
	c->nr++;
	return true;
}

#endif
