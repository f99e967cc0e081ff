/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of a CPU's switches of tasks were executed where its trace does not tell: while packets
 * were lost or the trace was off, and in front of the part that is looked at.
 *
 * Each switch has a record, which is written a moment before it. So at a time that the trace tells,
 * and near which no record is, as many have been executed as there are records; those that the
 * trace has in front of it count back from there.
 */
#ifndef FARGS_PT_RECOUNT_H
#define FARGS_PT_RECOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include "source/pt/decode/flow.h"
#include "source/pt/input/input.h"
#include "source/pt/input/switches.h"

/* Of the switches in front of a part. */
enum fargs_pt_counted {
	FARGS_PT_COUNTED_NONE,	/* what is in front of it does not tell */
	FARGS_PT_COUNTED_SEEN,	/* but for those, perhaps, that a hole or an error hides */
	FARGS_PT_COUNTED_ALL,	/* that were executed */
};

/* At a hole of the flow. */
struct fargs_pt_recount {
	size_t item;
	size_t nr;	/* switches up to there, with those that the hole hides */
};

struct fargs_pt_recounts {
	struct fargs_pt_recount *all;	/* by item; only of holes that hide some */
	size_t nr;
	size_t first;			/* switches in front of the flow */
	size_t last;			/* and behind it */
	enum fargs_pt_counted counted;	/* those behind it */
};

void fargs_pt_recounts_deinit(struct fargs_pt_recounts *r);

/*
 * Of @flow, which is @seg's, behind @nr switches, counted as @counted says. Times of its items are
 * still those of the trace. -ENOMEM.
 */
int fargs_pt_recount(struct fargs_pt_recounts *r, const struct fargs_pt_config *config,
		     const struct fargs_pt_switches *sw, const struct fargs_pt_segment *seg,
		     const struct fargs_pt_flow *flow, size_t nr, enum fargs_pt_counted counted);

/* Who goes through a flow item by item, from the first one on. */
struct fargs_pt_count {
	size_t nr;	/* switches up to there */
	size_t next;	/* of the recounts */
};

static inline void fargs_pt_count_begin(struct fargs_pt_count *c,
					const struct fargs_pt_recounts *r)
{
	*c = (struct fargs_pt_count){ .nr = r->first };
}

/* Goes over item @i of @flow. True: from there on it is another task, perhaps. */
static inline bool fargs_pt_count_take(struct fargs_pt_count *c,
				       const struct fargs_pt_recounts *r,
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
