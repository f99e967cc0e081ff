/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the executed task switches of a CPU where its trace does not show them: while packets
 * were lost or the trace was off, and before the part that is decoded.
 *
 * Each switch has a record, written shortly before it executes. So at a time known from the trace
 * with no record nearby, the number of executed switches is the number of records; switches seen
 * in the flow are counted back from there.
 */
#ifndef FARGS_SOURCE_PT_DECODE_SWITCH_RESYNC_H
#define FARGS_SOURCE_PT_DECODE_SWITCH_RESYNC_H

#include <stdbool.h>
#include <stddef.h>

#include "source/pt/decode/flow.h"
#include "source/pt/input/input.h"
#include "source/pt/input/switches.h"

/* How far the count of switches before a part is known. */
enum fargs_pt_counted {
	FARGS_PT_COUNTED_NONE,	/* unknown from the parts before */
	FARGS_PT_COUNTED_SEEN,	/* those seen; holes and errors may hide more */
	FARGS_PT_COUNTED_ALL,	/* all that were executed */
};

/* The count at a hole of the flow. */
struct fargs_pt_switch_resync {
	size_t item;
	size_t nr;	/* switches up to there, including those the hole hides */
};

struct fargs_pt_switch_resyncs {
	struct fargs_pt_switch_resync *all;	/* sorted by item; only holes that hide switches */
	size_t nr, room;
	size_t first;			/* switches before the flow */
	size_t last;			/* switches up to the end of the flow */
	enum fargs_pt_counted counted;	/* accuracy of last */
};

void fargs_pt_switch_resyncs_deinit(struct fargs_pt_switch_resyncs *r);

/*
 * Counts the switches of @flow, that of @seg, after @nr switches, known as accurately as
 * @counted. The times of its items must be those of the trace. Returns 0 or -ENOMEM.
 */
int fargs_pt_switch_resync(struct fargs_pt_switch_resyncs *r, const struct fargs_pt_config *config,
			   const struct fargs_pt_switches *sw, const struct fargs_pt_segment *seg,
			   const struct fargs_pt_flow *flow, size_t nr,
			   enum fargs_pt_counted counted);

/* Position of a walk through a flow, item by item from the first one on. */
struct fargs_pt_count {
	size_t nr;	/* switches so far */
	size_t next;	/* index of the next switch resync */
};

static inline void fargs_pt_count_begin(struct fargs_pt_count *c,
					const struct fargs_pt_switch_resyncs *r)
{
	*c = (struct fargs_pt_count){ .nr = r->first };
}

/* Passes item @i of @flow. True: from there on another task may run. */
static inline bool fargs_pt_count_take(struct fargs_pt_count *c,
				       const struct fargs_pt_switch_resyncs *r,
				       const struct fargs_pt_flow *flow, size_t i)
{
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
