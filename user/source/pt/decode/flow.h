/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flow of a segment: the branches that a CPU executed, events, and gaps in the trace.
 */
#ifndef FARGS_SOURCE_PT_DECODE_FLOW_H
#define FARGS_SOURCE_PT_DECODE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/decode/segments.h"
#include "source/pt/input/input.h"

/* @from, @to and @offset are fields of struct fargs_pt_item. */
enum fargs_pt_item_kind {
	FARGS_PT_BRANCH,	/* from @from to @to; @to 0: the target is not traced */
	FARGS_PT_BEGIN,		/* the trace continues at @to */
	FARGS_PT_INTERRUPT,	/* an interrupt or exception before the instruction at @from */
	FARGS_PT_END,		/* tracing was turned off before the instruction at @from */
	FARGS_PT_SWITCH,	/* the instruction at @to, which switches tasks, was executed */
	/* the instruction at @from wrote the value @to; see FARGS_PT_EXACT */
	FARGS_PT_PTWRITE,
	FARGS_PT_SITE,		/* the code at seq_sites[@to] was executed, at TSC @from or later */
	FARGS_PT_TICK,		/* the trace reports TSC @to; only after SITE, BEGIN, OVERFLOW */
	/*
	 * @nr_insns instructions, which follow each other, were executed: the first at @from; see
	 * fargs_pt_flow_insn_size(). Only if requested.
	 */
	FARGS_PT_EXECUTED,
	/* The CPU lost packets after the instruction at @from (0: unknown). */
	FARGS_PT_OVERFLOW,	/* the trace continues at @to; @to 0: it continues at a BEGIN */
	/*
	 * The @to bytes starting at @offset cannot be decoded; the trace before them, if any, was
	 * not recorded.
	 */
	FARGS_PT_SKIPPED,
	FARGS_PT_LOST,		/* like SKIPPED; the recording lost packets before @offset */
	FARGS_PT_POKED,		/* kernel code was changed in @to places */
	FARGS_PT_ERROR,		/* decoding stops at @from, and continues at the next PSB */
	/*
	 * A VM entry or exit: what follows is executed by the guest (FARGS_PT_IN_GUEST) or the
	 * host. It follows the BRANCH or INTERRUPT that caused it, whose @to is 0, and continues
	 * at @to; @to 0: where the trace reports the guest otherwise, and no branch. Each part
	 * begins with the host.
	 */
	FARGS_PT_VM,
	/*
	 * Those below are what packets besides the flow report: before the instruction at @from; 0:
	 * tracing is off, or the address is unknown. Only if requested (enum fargs_pt_wants).
	 */
	FARGS_PT_CBR,		/* the core to bus ratio is @to */
	FARGS_PT_MWAIT,		/* MWAIT with the hints @to; its extensions are << 32 */
	FARGS_PT_PWRE,		/* entry of a C-state: @to is the packet's payload */
	FARGS_PT_EXSTOP,	/* the CPU stopped executing; see FARGS_PT_EXACT */
	FARGS_PT_PWRX,		/* return to C0: @to is the packet's payload */
	FARGS_PT_PSB,		/* the PSB at @offset; it is at @from */
	/* begin, commit or abort of a transaction: @to is an enum fargs_pt_packet_tsx */
	FARGS_PT_TSX,
	/* the payload @to, of type @insn, of the CFE that follows */
	FARGS_PT_EVD,
	/* a control flow event of type @insn with the vector @to; see FARGS_PT_EXACT */
	FARGS_PT_CFE,
	/* the interrupt flag becomes @to; FARGS_PT_BY_BRANCH: by the branch at @from */
	FARGS_PT_IFLAG,
	/* a PEBS record, packed in flow->words from index @to on (fargs_pt_pebs_unpack()) */
	FARGS_PT_PEBS,
};

/* Kinds of items that are only added if requested. */
enum fargs_pt_wants {
	FARGS_PT_WANTS_POWER = 1,	/* CBR, MWAIT, PWRE, EXSTOP, PWRX, PSB */
	FARGS_PT_WANTS_TSX = 2,
	FARGS_PT_WANTS_EVENTS = 4,	/* EVD, CFE, IFLAG */
	FARGS_PT_WANTS_PEBS = 8,
};

enum fargs_pt_item_flags {
	FARGS_PT_ENDS = 1,	/* tracing ends with the branch */
	FARGS_PT_WAS_ON = 2,	/* a BEGIN where only decoding begins: tracing was already on */
	/* a BEGIN that continues the previous flow, unless that flow is broken */
	FARGS_PT_CONTINUES = 4,
	FARGS_PT_ABORTS = 8,	/* an INTERRUPT or END that aborts a transaction */
	/* EXECUTED, if ends are asked for: its branch has a bit of a TNT begun before */
	FARGS_PT_HAS_BIT = 4,
	FARGS_PT_VAGUE = 16,	/* the error of the time has no limit: see fargs_pt_flow_error() */
	FARGS_PT_IN_TX = 32,	/* in a transaction */
	FARGS_PT_IF_OFF = 64,	/* the interrupt flag is 0; with IF_TOGGLES: before it changes */
	FARGS_PT_IF_TOGGLES = 128,	/* the interrupt flag changes here */
	/* Of other kinds of items than those above: */
	FARGS_PT_EXACT = 1,	/* PTWRITE, EXSTOP, CFE: the trace reports @from */
	FARGS_PT_BY_BRANCH = 2,	/* IFLAG */
	FARGS_PT_VM_EXIT = 1,	/* INTERRUPT: a guest is left */
	FARGS_PT_IN_GUEST = 2,	/* VM: a guest is entered */
};

struct fargs_pt_item {
	uint64_t tsc;		/* last time in the trace before the item; 0: none */
	uint64_t from;
	uint64_t to;
	/*
	 * Stream offset of the OVF packet (OVERFLOW) or of the first skipped byte (SKIPPED, LOST).
	 * For other items, that of the packet which reports them; by libipt, up to which it has
	 * read: a packet or two later.
	 */
	uint64_t offset;
	uint32_t nr_insns;	/* instructions since the last item, including a branch at @from */
	uint8_t kind;		/* enum fargs_pt_item_kind */
	/* BRANCH, last instruction of EXECUTED: enum fargs_pt_insn; EVD, CFE: type */
	uint8_t insn;
	uint8_t flags;		/* enum fargs_pt_item_flags */
	union {
		uint8_t error;	/* ERROR: enum pt_error_code, 0: decoding was stuck */
		/* EXECUTED with @insn, if ends are asked for: the size of this instruction */
		uint8_t last_bytes;
	};
};

/* Returns whether @item is a gap, where the trace does not show what was executed. */
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

/* The trace reports @nr cycles from the beginning of the segment to items[@item] of the flow. */
struct fargs_pt_cycle_mark {
	size_t item;
	uint64_t nr;
};

/* Initialize with zeroes, which means an empty flow. */
struct fargs_pt_flow {
	struct fargs_pt_item *items;
	size_t nr, room;
	uint64_t nr_insns;
	uint32_t nr_rest;	/* number of instructions after the last item */
	/*
	 * Time of the packets that end the segment; at least that of the last item. 0: none, or
	 * its error has no limit.
	 */
	uint64_t end_tsc;
	/* Of instructions; see fargs_pt_flow_insn_size(). */
	uint8_t *sizes;
	size_t nr_sizes, sizes_room;
	uint64_t *words;	/* of PEBS records */
	size_t nr_words, words_room;
	/* If cycles are counted: one mark for each item with a CYC, in the order of items. */
	struct fargs_pt_cycle_mark *cycles;
	size_t nr_cycle_marks, cycles_room;
	uint64_t nr_cycles;	/* number of cycles in the whole segment */
	bool is_broken;	/* the flow ends with an error; the next flow does not continue this flow */
};

void fargs_pt_flow_deinit(struct fargs_pt_flow *flow);

/*
 * Returns the maximum error of the times of items, in TSC ticks; UINT64_MAX: unknown. Times are
 * estimated from MTCs and cycles, and the CPU collects branches over timing packets. An MTC has
 * eight bits of the time, so after lost or damaged packets there is no maximum until the next TSC:
 * such items are FARGS_PT_VAGUE (but not those by libipt).
 */
uint64_t fargs_pt_flow_error(const struct fargs_pt_config *config);
/*
 * Returns how much later than its time an item may have happened, in TSC ticks; UINT64_MAX: there
 * is no limit. Without MTCs and cycles, an item has the time of the last TSC before it, which is
 * right (fargs_pt_flow_error() is 0) but may be long ago: the CPU sends none but after a PSB.
 */
uint64_t fargs_pt_flow_lag(const struct fargs_pt_config *config);
/* Returns the TSC ticks between two MTCs; 0: no MTCs were recorded, or the period is unknown. */
uint64_t fargs_pt_flow_tick(const struct fargs_pt_config *config);

/*
 * Returns the size of the instruction @i of @item, an EXECUTED of @flow; of the last one, 0: it is
 * not needed to find the others (but see item->last_bytes).
 */
static inline uint8_t fargs_pt_flow_insn_size(const struct fargs_pt_flow *flow,
					      const struct fargs_pt_item *item, uint32_t i)
{
	return i + 1 < item->nr_insns ? flow->sizes[item->to + i] : 0;
}

/*
 * Copies the sizes of @nr instructions. Returns their index in @flow->sizes; SIZE_MAX if out of
 * memory.
 */
size_t fargs_pt_flow_keep_sizes(struct fargs_pt_flow *flow, const uint8_t *sizes, size_t nr);
/* The same of @nr @words. */
size_t fargs_pt_flow_keep_words(struct fargs_pt_flow *flow, const uint64_t *words, size_t nr);
/* Makes room for more items. Returns false if out of memory. */
bool fargs_pt_flow_grow(struct fargs_pt_flow *flow);

#endif
