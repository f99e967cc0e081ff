/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a decoder (decoder.h), shared by the files that implement it: its setup, and its
 * position in a segment. Private to these files.
 */
#ifndef FARGS_SOURCE_PT_DECODE_STATE_H
#define FARGS_SOURCE_PT_DECODE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/code/insn.h"
#include "source/pt/decode/flow.h"
#include "source/pt/decode/libipt/cycles.h"
#include "source/pt/decode/libipt/images.h"
#include "source/pt/decode/libipt/stepper.h"
#include "source/pt/decode/names.h"
#include "source/pt/decode/segments.h"
#include "source/pt/input/input.h"

/* Number of TICK items that follow a SITE, BEGIN or OVERFLOW item. */
#define FARGS_PT_TICKS		8
/* Number of entries in the cache of branch instructions: their kind and length, by address. */
#define FARGS_PT_KNOWN_BRANCHES	65536
/*
 * The cache of jump targets has 2^FARGS_PT_TARGET_BITS entries. Each records whether a function
 * begins at the target.
 */
#define FARGS_PT_TARGET_BITS	13
#define FARGS_PT_KNOWN_TARGETS	(1u << FARGS_PT_TARGET_BITS)

struct fargs_pt_known_branch {
	uint64_t ip;
	uint32_t epoch;			/* @epoch or @user_epoch of the decoder at the lookup */
	uint8_t insn;
	uint8_t size;
	bool is_indirect;
};

struct fargs_pt_libipt {
	const struct fargs_pt_input *in;
	struct fargs_pt_programs *programs;
	struct fargs_pt_images *images;
	struct fargs_pt_image *image;	/* the image that libipt uses now */
	uint64_t switch_addr;
	uint64_t first_site, last_site;	/* range of seq sites; none: @first_site > @last_site */
	uint64_t tick;			/* TSC ticks between two MTCs; 0: unknown */
	struct fargs_pt_window window;
	struct fargs_pt_known_branch *known;
	/*
	 * Only jumps to the beginning of one of these functions are added to the flow; NULL: all
	 * jumps are.
	 */
	const struct fargs_pt_names *begins;
	/*
	 * Cache of jump targets, indexed by the lower bits of the target. An entry contains the
	 * upper bits of the target, and in bit 0 whether a function begins at the target.
	 */
	uint64_t *targets;
	/* Bit N is set if @begins applies to branches of class N (enum pt_insn_class). */
	uint64_t skipped;
	uint32_t epoch;			/* version of the kernel's code, for cached branches */
	uint32_t user_epoch;		/* version of the program's code */
	bool is_by_insn;		/* add an item for each instruction */
	bool has_cycles;		/* cycles are requested and were recorded */
	uint8_t wants;			/* enum fargs_pt_wants */
	bool has_programs;		/* the program must be chosen at each entry to user space */

	/* The following members are the state for the current segment. */
	const struct fargs_pt_segment *seg;
	struct fargs_pt_flow *flow;
	struct fargs_pt_stepper stepper;
	struct fargs_pt_cycles *cycles;	/* NULL: cycles are not counted */
	uint64_t tsc;
	uint64_t times[3];		/* latest times, newest first, at least @tick apart */
	unsigned int nr_ticks;		/* number of TICK items that must still be added */
	uint64_t poke_tsc;		/* TSC of the next change of code; UINT64_MAX: none known */
	uint64_t offset;		/* offset in the segment up to which libipt has read */
	uint64_t sync_offset;		/* offset of the PSB at which libipt last synchronized */
	uint64_t overflow;		/* offset after the last OVF */
	uint64_t passed;		/* the flow has passed all PSBs before this offset */
	const uint8_t *bytes;		/* bytes of the segment */
	uint64_t nr_bytes;
	uint64_t nr_insns;		/* number of instructions executed in the segment */
	uint64_t nr_in_items;		/* @nr_insns at the last item */
	/*
	 * libipt is considered stuck if @nr_insns exceeds @stuck_at while @offset remains
	 * unchanged.
	 */
	uint64_t stuck_at;
	size_t nr_sure;			/* number of items when @offset last changed */
	uint64_t nr_sure_insns;		/* @nr_insns when @offset last changed */
	uint64_t next_ip;		/* address at which libipt expected the next block */
	uint64_t last_ip;		/* address of the last instruction */
	int last_isid;
	/*
	 * Class of the last instruction if it is a branch whose target is not known yet; else
	 * ptic_other.
	 */
	enum pt_insn_class iclass;
	uint64_t aborted;		/* @nr_insns when a transaction was last aborted */
	uint8_t in_tx;			/* FARGS_PT_IN_TX in a transaction, otherwise 0 */
	bool is_new;			/* no instruction has been executed since the PSB */
	bool is_lost;			/* the next item does not continue the previous one */
	bool is_short;			/* out of memory */
	struct fargs_pt_item nowhere;	/* result of fargs_pt_add_item() if out of memory */
};

/* The following functions are in items.c. */

/* Adds an item, which the caller may change until the next one is added. */
struct fargs_pt_item *fargs_pt_add_item(struct fargs_pt_libipt *d, enum fargs_pt_item_kind kind,
					uint64_t from, uint64_t to);
/* Adds a mark: the packets report @nr cycles up to the item that was added last. */
void fargs_pt_add_cycle_mark(struct fargs_pt_libipt *d, uint64_t nr);
/*
 * Adds a cycle mark for the item that was added last, if a CYC applies to the packet that reports
 * this item. @lead: expected kind of this packet.
 */
void fargs_pt_led_by(struct fargs_pt_libipt *d, enum fargs_pt_led lead);
/* Sets the current time to @tsc, which the trace reports, and adds a TICK item if requested. */
void fargs_pt_set_time(struct fargs_pt_libipt *d, uint64_t tsc);

/* The following functions are in branches.c. */

/* Returns the kind and length of the branch instruction at d->last_ip. */
const struct fargs_pt_known_branch *fargs_pt_look_up_branch(struct fargs_pt_libipt *d);
/* Returns the kind of the last instruction. */
enum fargs_pt_insn fargs_pt_last_insn(struct fargs_pt_libipt *d);
bool fargs_pt_look_up_target(struct fargs_pt_libipt *d, uint64_t ip, uint64_t *known);
/* Adds a BRANCH item with the target @ip if the last instruction is a branch that was taken. */
void fargs_pt_add_branch(struct fargs_pt_libipt *d, uint64_t ip);
/* Same as fargs_pt_arrive(), but for decoders that count cycles. */
void fargs_pt_arrive_counting(struct fargs_pt_libipt *d, uint64_t ip);

/* The following functions are in code_in_use.c. */

/*
 * Switches to the code @now, and sets the time of the next change of this code. The time depends on
 * the image, because images contain different user code, and different numbers of changes of kernel
 * code have been applied to them.
 */
void fargs_pt_use_code(struct fargs_pt_libipt *d, const struct fargs_pt_code_now *now);
/* Applies changes of code up to @tsc. Returns 0 or -ENOMEM. */
int fargs_pt_advance_code(struct fargs_pt_libipt *d, uint64_t tsc);
/* Chooses the program when user space is entered at @ip (0: unknown). */
void fargs_pt_enter_program(struct fargs_pt_libipt *d, uint64_t ip);
/*
 * Call when the trace continues at @ip after a gap. Chooses the program if @ip is in user space,
 * and applies changes of code that are due.
 */
void fargs_pt_enter_after_hole(struct fargs_pt_libipt *d, uint64_t ip);

/* The following functions are in events.c. */

/*
 * Adds a BEGIN item at @ip. @was_on: the CPU was already being traced; only decoding begins at @ip.
 */
void fargs_pt_begin_item(struct fargs_pt_libipt *d, uint64_t ip, bool was_on);
void fargs_pt_on_event(struct fargs_pt_libipt *d, const struct pt_event *ev);

/* The following function is in blocks.c. */

/*
 * Follows the code from a PSB to an error or the end of the trace. @status: libipt's result from
 * synchronizing with the PSB. Returns libipt's status, or 0 if libipt is stuck: it follows code
 * without consuming any trace. Sets d->next_ip.
 */
int fargs_pt_follow(struct fargs_pt_libipt *d, int status);

/*
 * Adds an item to d->flow, which must have room for it. Inline, because most of the decoding time
 * outside libipt is spent here.
 */
static inline struct fargs_pt_item *fargs_pt_put_item(struct fargs_pt_libipt *d,
						      enum fargs_pt_item_kind kind,
						      uint64_t from, uint64_t to)
{
	struct fargs_pt_item *item = &d->flow->items[d->flow->nr++];

	*item = (struct fargs_pt_item){
		.tsc = d->tsc, .from = from, .to = to, .kind = kind, .flags = d->in_tx,
		.offset = d->seg->begin + d->offset,
		.nr_insns = d->nr_insns - d->nr_in_items,
	};
	d->nr_in_items = d->nr_insns;
	return item;
}

static inline bool fargs_pt_is_user(uint64_t ip)
{
	return !(ip >> 63);
}

/* Requests TICK items: their times show when the current instruction had certainly executed. */
static inline void fargs_pt_want_ticks(struct fargs_pt_libipt *d)
{
	if (d->first_site <= d->last_site)
		d->nr_ticks = FARGS_PT_TICKS;
}

/* Clears the last instruction, since the trace does not show what was executed after it. */
static inline void fargs_pt_forget(struct fargs_pt_libipt *d)
{
	d->iclass = ptic_other;
	d->last_ip = 0;
}

/* Returns whether a function begins at @ip at some time. */
static inline bool fargs_pt_may_begin(struct fargs_pt_libipt *d, uint64_t ip)
{
	uint64_t *known;

	/*
	 * Check the tables of fargs_pt_names_may_begin() first: they decide most cases, and are in
	 * the CPU's cache.
	 */
	if (!fargs_pt_names_may_begin(d->begins, ip))
		return false;
	known = &d->targets[(ip ^ ip >> FARGS_PT_TARGET_BITS) % FARGS_PT_KNOWN_TARGETS];
	if (*known >> 1 != ip >> FARGS_PT_TARGET_BITS)
		return fargs_pt_look_up_target(d, ip, known);
	return *known & 1;
}

/* Applies changes of code up to the current time. Returns 0 or -ENOMEM. */
static inline int fargs_pt_change_code(struct fargs_pt_libipt *d)
{
	return d->tsc < d->poke_tsc ? 0 : fargs_pt_advance_code(d, d->tsc);
}

/* Processes @ip, the address of the next instruction, as the target of the last branch, if any. */
static inline void fargs_pt_arrive(struct fargs_pt_libipt *d, uint64_t ip)
{
	if (__builtin_expect(!!d->cycles, 0))
		fargs_pt_arrive_counting(d, ip);
	else if (!(d->skipped >> d->iclass & 1) || fargs_pt_may_begin(d, ip))
		fargs_pt_add_branch(d, ip);
	d->iclass = ptic_other;
}

#endif
