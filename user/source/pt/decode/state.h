/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a decoder (decoder.h), which its parts share: what it is set up with, and how far
 * it is in a segment. For these alone.
 */
#ifndef FARGS_SOURCE_PT_DECODE_STATE_H
#define FARGS_SOURCE_PT_DECODE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/decode/cycles.h"
#include "source/pt/decode/flow.h"
#include "source/pt/decode/images.h"
#include "source/pt/decode/insn.h"
#include "source/pt/decode/names.h"
#include "source/pt/decode/segments.h"
#include "source/pt/decode/stepper.h"
#include "source/pt/input/input.h"

/* After a site so many times are told that it is. */
#define FARGS_PT_TICKS		8
/* Branches whose kind and length are kept, by address. */
#define FARGS_PT_KNOWN_BRANCHES	65536
/* Where jumps have led to and whether a function begins there is kept of so many, by address. */
#define FARGS_PT_TARGET_BITS	13
#define FARGS_PT_KNOWN_TARGETS	(1u << FARGS_PT_TARGET_BITS)

struct fargs_pt_known_branch {
	uint64_t ip;
	uint32_t epoch;			/* of the code: of the kernel's, or of the program's */
	uint8_t insn;
	uint8_t size;
	bool is_indirect;
};

struct fargs_pt_decoder {
	const struct fargs_pt_input *in;
	struct fargs_pt_images *images;
	struct fargs_pt_image *image;	/* that is in use */
	uint64_t switch_addr;
	uint64_t first_site, last_site;	/* first above last: there are none */
	uint64_t tick;			/* of the TSC, from one time that counts to the next */
	struct fargs_pt_window window;
	struct fargs_pt_known_branch *known;
	const struct fargs_pt_names *begins;	/* jumps are items only to these; NULL: all are */
	uint64_t *targets;		/* by lower bits: upper ones, and in bit 0 what it is */
	uint64_t skipped;		/* classes of branches that are none elsewhere: bits */
	uint32_t epoch;			/* of the code: those known before may be others now */
	uint32_t user_epoch;		/* and of the program's */
	bool is_by_insn;		/* each is an item */
	bool has_cycles;		/* are wanted, and were recorded */
	bool has_programs;		/* several: which one is to be asked when one is entered */

	/* Of the segment: */
	const struct fargs_pt_segment *seg;
	struct fargs_pt_flow *flow;
	struct fargs_pt_stepper stepper;
	struct fargs_pt_cycles *cycles;	/* NULL: they are not counted */
	uint64_t tsc;
	uint64_t told[3];		/* the last times, the latest first, a tick or more apart */
	unsigned int nr_ticks;		/* to be told of */
	uint64_t poke_tsc;		/* code is changed then */
	uint64_t offset;		/* in the segment */
	uint64_t sync_offset;		/* of the PSB that was last synchronized with */
	uint64_t overflow;		/* after the last one */
	uint64_t passed;		/* what PSBs before this offset say was executed */
	const uint8_t *bytes;		/* of the segment */
	uint64_t nr_bytes;
	uint64_t nr_insns;		/* executed */
	uint64_t nr_told;		/* of these, up to the last item */
	uint64_t stuck_at;		/* so many without that the offset moves */
	size_t nr_sure;			/* items until then */
	uint64_t nr_sure_insns;
	uint64_t next_ip;		/* where libipt began to look for the next block */
	uint64_t last_ip;		/* of the instruction before */
	int last_isid;
	/* Of that, if it is a branch, and where it led to is still to come; else ptic_other. */
	enum pt_insn_class iclass;
	uint64_t aborted;		/* a transaction, at the instruction after so many */
	bool is_new;			/* nothing was executed since the PSB */
	bool is_lost;			/* what comes next does not continue what was before */
	bool is_short;			/* no memory */
	struct fargs_pt_item nowhere;
};

/* items.c: */

/* The item that is added may be changed until the next one is. */
struct fargs_pt_item *fargs_pt_add_item(struct fargs_pt_decoder *d, enum fargs_pt_item_kind kind,
					uint64_t from, uint64_t to);
/* The packets report @nr cycles up to the item that was added last. */
void fargs_pt_add_cycle_mark(struct fargs_pt_decoder *d, uint64_t nr);
/* The item that was just added was led by @lead. */
void fargs_pt_led_by(struct fargs_pt_decoder *d, enum fargs_pt_lead lead);
/* The trace reports that it is @tsc. */
void fargs_pt_set_time(struct fargs_pt_decoder *d, uint64_t tsc);

/* branches.c: */

/* The branch instruction at d->last_ip. */
const struct fargs_pt_known_branch *fargs_pt_look_up_branch(struct fargs_pt_decoder *d);
/* The kind of the last instruction. */
enum fargs_pt_insn fargs_pt_last_insn(struct fargs_pt_decoder *d);
bool fargs_pt_look_up_target(struct fargs_pt_decoder *d, uint64_t ip, uint64_t *known);
/* The last instruction led to @ip: adds it, if it is a branch. */
void fargs_pt_add_branch(struct fargs_pt_decoder *d, uint64_t ip);
/* fargs_pt_arrive(), with cycles. */
void fargs_pt_arrive_counting(struct fargs_pt_decoder *d, uint64_t ip);

/* code_in_use.c: */

/* From now on the code is @now. The kernel's is the same in all, but for its changes. */
void fargs_pt_use_code(struct fargs_pt_decoder *d, const struct fargs_pt_code_now *now);
/* Applies what was changed of the code up to @tsc. -ENOMEM. */
int fargs_pt_advance_code(struct fargs_pt_decoder *d, uint64_t tsc);
/* User space is entered at @ip, or 0: somewhere. */
void fargs_pt_enter_program(struct fargs_pt_decoder *d, uint64_t ip);
/* The trace continues at @ip after a hole. */
void fargs_pt_enter_after_hole(struct fargs_pt_decoder *d, uint64_t ip);

/* events.c: */

/* The trace goes on at @ip; @was_on: and so did the CPU, it is only that decoding begins. */
void fargs_pt_begin_item(struct fargs_pt_decoder *d, uint64_t ip, bool was_on);
void fargs_pt_on_event(struct fargs_pt_decoder *d, const struct pt_event *ev);

/* blocks.c: */

/*
 * From where libipt has found a PSB, with @status, to an error or the end: what it says then; 0:
 * it executes without using up any trace. Sets d->next_ip.
 */
int fargs_pt_follow(struct fargs_pt_decoder *d, int status);

/* There is room. Most of what decoding costs beside libipt, which is why it is inline. */
static inline struct fargs_pt_item *fargs_pt_put_item(struct fargs_pt_decoder *d,
						      enum fargs_pt_item_kind kind,
						      uint64_t from, uint64_t to)
{
	struct fargs_pt_item *item = &d->flow->items[d->flow->nr++];

	*item = (struct fargs_pt_item){
		.tsc = d->tsc, .from = from, .to = to, .kind = kind,
		.offset = d->seg->begin + d->offset,
		.nr_insns = d->nr_insns - d->nr_told,
	};
	d->nr_told = d->nr_insns;
	return item;
}

static inline bool fargs_pt_is_user(uint64_t ip)
{
	return !(ip >> 63);
}

/* It is to be known when that surely was over. */
static inline void fargs_pt_want_ticks(struct fargs_pt_decoder *d)
{
	if (d->first_site <= d->last_site)
		d->nr_ticks = FARGS_PT_TICKS;
}

/* What came before is not continued. */
static inline void fargs_pt_forget(struct fargs_pt_decoder *d)
{
	d->iclass = ptic_other;
	d->last_ip = 0;
}

/* Does a function begin at @ip, for all that is known? */
static inline bool fargs_pt_may_begin(struct fargs_pt_decoder *d, uint64_t ip)
{
	uint64_t *known;

	/* Most are told by that, out of what is in the cache. */
	if (!fargs_pt_names_may_begin(d->begins, ip))
		return false;
	known = &d->targets[(ip ^ ip >> FARGS_PT_TARGET_BITS) % FARGS_PT_KNOWN_TARGETS];
	if (*known >> 1 != ip >> FARGS_PT_TARGET_BITS)
		return fargs_pt_look_up_target(d, ip, known);
	return *known & 1;
}

/* What code was changed until now. 0 or -ENOMEM. */
static inline int fargs_pt_change_code(struct fargs_pt_decoder *d)
{
	return d->tsc < d->poke_tsc ? 0 : fargs_pt_advance_code(d, d->tsc);
}

/* The instruction at @ip comes next: that tells whether and where the branch before it went. */
static inline void fargs_pt_arrive(struct fargs_pt_decoder *d, uint64_t ip)
{
	if (__builtin_expect(!!d->cycles, 0))
		fargs_pt_arrive_counting(d, ip);
	else if (!(d->skipped >> d->iclass & 1) || fargs_pt_may_begin(d, ip))
		fargs_pt_add_branch(d, ip);
	d->iclass = ptic_other;
}

#endif
