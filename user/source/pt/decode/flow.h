/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a CPU did in a segment of its trace: the branches it took, and where the trace does not
 * report any.
 */
#ifndef FARGS_SOURCE_PT_DECODE_FLOW_H
#define FARGS_SOURCE_PT_DECODE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/decode/image.h"
#include "source/pt/decode/segments.h"
#include "source/pt/input/input.h"

enum fargs_pt_item_kind {
	FARGS_PT_BRANCH,	/* from, to; to 0: where to is not traced */
	FARGS_PT_BEGIN,		/* the trace goes on, at to */
	FARGS_PT_INTERRUPT,	/* an interrupt or exception in front of the instruction at from */
	FARGS_PT_END,		/* the trace was turned off in front of the instruction at from */
	FARGS_PT_SWITCH,	/* the instruction at to was executed: another task from then on */
	FARGS_PT_PTWRITE,	/* of to, by the instruction at from */
	FARGS_PT_SITE,		/* site to was executed, not before TSC from */
	FARGS_PT_TICK,		/* behind a site or a BEGIN: the trace tells that it is TSC to */
	FARGS_PT_EXECUTED,	/* the instruction at from, if it was asked for each */
	/* The CPU lost packets, after the instruction at from (0: not known). */
	FARGS_PT_OVERFLOW,	/* goes on at to, or 0: at the next BEGIN */
	FARGS_PT_SKIPPED,	/* nr_bytes from offset on cannot be decoded */
	FARGS_PT_LOST,		/* so it is, and before it some was lost when it was recorded */
	FARGS_PT_POKED,		/* code was changed, in to places */
	FARGS_PT_ERROR,		/* decoding stops at from, and goes on at the next PSB */
};

enum fargs_pt_item_flags {
	FARGS_PT_ENDS = 1,	/* the trace ends with the branch */
	FARGS_PT_WAS_ON = 2,	/* a BEGIN of decoding alone: the CPU was being traced already */
	FARGS_PT_CONTINUES = 4,	/* and of none, unless the segment before is broken */
	FARGS_PT_ABORTS = 8,	/* an INTERRUPT or END that is the abort of a transaction */
};

struct fargs_pt_item {
	uint64_t tsc;		/* of the last that was told before; 0: none was */
	uint64_t from;
	uint64_t to;
	/* In the stream, up to which was read: a packet or two ahead. An OVERFLOW's own. */
	uint64_t offset;
	uint32_t nr_insns;	/* executed since the item before, with a branch at from */
	uint8_t kind;		/* enum fargs_pt_item_kind */
	uint8_t insn;		/* of a branch, or executed: enum fargs_pt_insn */
	uint8_t flags;		/* enum fargs_pt_item_flags */
	uint8_t error;		/* enum pt_error_code; 0: no progress */
};

/* Does the trace not report there what was executed? */
static inline bool fargs_pt_item_is_error(const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_OVERFLOW:
	case FARGS_PT_SKIPPED:
	case FARGS_PT_LOST:
	case FARGS_PT_ERROR:
		return true;
	}
	return false;
}

/* The trace tells how many cycles it was from the segment's beginning to items[item]. */
struct fargs_pt_cycle_mark {
	size_t item;
	uint64_t nr;
};

/* All zeroes: empty. */
struct fargs_pt_flow {
	struct fargs_pt_item *items;
	size_t nr, room;
	uint64_t nr_insns;
	uint32_t nr_behind;	/* of these, behind the last item */
	/* If cycles are counted: of branches, rising. */
	struct fargs_pt_cycle_mark *cycles;
	size_t nr_cycle_marks;
	uint64_t nr_cycles;	/* of all the segment */
	bool is_broken;		/* it ends with an error: the next segment does not continue it */
};

void fargs_pt_flow_deinit(struct fargs_pt_flow *flow);

/*
 * By how much the time that the trace tells may be wrong, in TSC ticks: libipt reckons MTCs
 * and cycles, and branches may be told of behind a packet in front of which they were executed.
 * UINT64_MAX: nothing is known of it.
 */
uint64_t fargs_pt_flow_error(const struct fargs_pt_config *config);
/* TSC ticks from one MTC to the next; 0: there are none, or that is not known. */
uint64_t fargs_pt_flow_tick(const struct fargs_pt_config *config);

/* Makes room for another item. False: no memory. */
bool fargs_pt_flow_grow(struct fargs_pt_flow *flow);

#endif
