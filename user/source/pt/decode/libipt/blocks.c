// SPDX-License-Identifier: GPL-2.0-only
/* Follows the executed code, block by block, from a PSB to an error or the end of the segment. */
#include "source/pt/decode/libipt/state.h"

#include <errno.h>

/*
 * If libipt follows this many instructions without consuming any of the trace, it is in an endless
 * loop of direct jumps, because the code is not the code that the CPU executed.
 */
#define STUCK_INSNS	(4u << 20)

/*
 * Adds items for the seq sites (instructions that allocate sequence numbers) in @b. libipt reads a
 * packet or two ahead, so the two latest times may be later than the site; only the third latest is
 * certainly before it.
 */
static __attribute__((noinline)) void add_sites(struct fargs_pt_libipt *d,
						const struct pt_block *b)
{
	size_t i;

	for (i = 0; i < FARGS_PT_SITES; i++) {
		uint64_t site = d->in->seq_sites[i];

		if (!site || site - b->ip > b->end_ip - b->ip)
			continue;
		fargs_pt_want_ticks(d);
		fargs_pt_add_item(d, FARGS_PT_SITE, d->times[2], i);
	}
}

/* Updates the state after all instructions of @b were executed. */
static inline void take_block(struct fargs_pt_libipt *d, const struct pt_block *b)
{
	d->nr_insns += b->ninsn;
	d->last_ip = b->end_ip;
	d->last_isid = b->isid;
	d->iclass = b->iclass;
}

static __attribute__((noinline)) void add_switch(struct fargs_pt_libipt *d)
{
	fargs_pt_add_item(d, FARGS_PT_SWITCH, 0, d->switch_addr);
	fargs_pt_programs_switch(d->programs);
}

/*
 * Returns whether @b may end with a return to user space. libipt does not classify all branches, so
 * the caller must look up the instruction.
 */
static inline bool may_enter(const struct pt_block *b)
{
	return (b->iclass == ptic_error || b->iclass > ptic_cond_jump) &&
	       !fargs_pt_is_user(b->end_ip);
}

/* If the last block ended with a return to user space, chooses the program that runs there. */
static __attribute__((noinline)) void enter_if_returned(struct fargs_pt_libipt *d)
{
	enum fargs_pt_insn insn = fargs_pt_look_up_branch(d)->insn;
	uint64_t tsc;

	if (insn != FARGS_PT_INSN_IRET && insn != FARGS_PT_INSN_SYSRET)
		return;
	/* libipt has read the packet of the return, and any time directly before that packet. */
	if (fargs_pt_stepper_time(&d->stepper, &tsc) >= 0)
		fargs_pt_set_time(d, tsc);
	fargs_pt_enter_program(d, 0);
}

/*
 * Adds an item if @b contains the instruction that switches tasks, and an item for each instruction
 * in @b that allocates a sequence number. A block is contiguous, since calls and jumps end blocks.
 */
static inline void look_into(struct fargs_pt_libipt *d, const struct pt_block *b)
{
	if (d->switch_addr - b->ip <= b->end_ip - b->ip)
		add_switch(d);
	if (b->ip <= d->last_site && b->end_ip >= d->first_site)
		add_sites(d, b);
}

static void add_executed(struct fargs_pt_libipt *d, const struct pt_block *b)
{
	struct fargs_pt_item *item = fargs_pt_add_item(d, FARGS_PT_EXECUTED, b->ip, 0);

	item->insn = fargs_pt_last_insn(d);
	if (item->insn != FARGS_PT_INSN_OTHER)
		item->last_bytes = fargs_pt_look_up_branch(d)->size;
}

static void on_block(struct fargs_pt_libipt *d, const struct pt_block *b)
{
	if (d->is_new)
		fargs_pt_begin_item(d, b->ip, true);
	fargs_pt_arrive(d, b->ip);
	take_block(d, b);
	if (d->is_by_insn)
		add_executed(d, b);
	look_into(d, b);
	if (d->has_programs && may_enter(b))
		enter_if_returned(d);
}

/*
 * Records the decoder's new position, sets the time of this position, and applies changes of code
 * up to this time.
 */
static __attribute__((noinline)) int note_new_position(struct fargs_pt_libipt *d, uint64_t offset)
{
	uint64_t tsc;

	d->offset = offset;
	d->stuck_at = d->nr_insns + STUCK_INSNS;
	d->nr_sure = d->flow->nr;
	d->nr_sure_insns = d->nr_insns;
	if (fargs_pt_stepper_time(&d->stepper, &tsc) >= 0)
		fargs_pt_set_time(d, tsc);
	return fargs_pt_change_code(d);
}

/* Records the decoder's position if it has changed. */
static int note_position(struct fargs_pt_libipt *d)
{
	uint64_t offset;

	if (fargs_pt_stepper_get_offset(&d->stepper, &offset) < 0 || offset == d->offset)
		return 0;
	return note_new_position(d, offset);
}

/*
 * Follows consecutive blocks up to an event, the end or an error, and returns libipt's status.
 * b->ninsn is 0 if @b has been handled. Does the same as follow_blocks(), but without checks that
 * hardly any block needs: these took half of the decoding time spent outside libipt.
 */
static inline __attribute__((always_inline)) int
follow_plainly(struct fargs_pt_libipt *d, struct pt_block *b, const bool has_programs)
{
	struct pt_block_decoder *blocks = d->stepper.blocks;
	uint64_t offset;
	int status;

	do {
		b->ip = 0;
		b->ninsn = 0;
		status = pt_blk_next(blocks, b, sizeof(*b));
		if (status < 0 || !b->ninsn)
			return status;
		if (!(d->skipped >> d->iclass & 1) || fargs_pt_may_begin(d, b->ip))
			fargs_pt_add_branch(d, b->ip);
		take_block(d, b);
		look_into(d, b);
		if (has_programs && may_enter(b))
			enter_if_returned(d);
		if (pt_blk_get_offset(blocks, &offset) >= 0 && offset != d->offset &&
		    note_new_position(d, offset))
			return -pte_nomem;
	} while (!(status & (pts_event_pending | pts_eos)) && d->nr_insns <= d->stuck_at);
	b->ninsn = 0;
	return status;
}

static __attribute__((noinline)) int follow_plain(struct fargs_pt_libipt *d, struct pt_block *b)
{
	return follow_plainly(d, b, false);
}

static __attribute__((noinline)) int follow_programs(struct fargs_pt_libipt *d,
						     struct pt_block *b)
{
	return follow_plainly(d, b, true);
}

/*
 * Returns whether everything that the trace reports before this event has been executed. The answer
 * is uncertain for an event without an address, because libipt reads one or more packets ahead, and
 * reports such an event immediately.
 */
static bool is_reached(const struct pt_event *ev)
{
	switch (ev->type) {
	case ptev_enabled:
	case ptev_disabled:
		return !ev->status_update;
	case ptev_async_disabled:
	case ptev_async_branch:
	case ptev_overflow:
	case ptev_exec_mode:
		return true;
	default:
		return false;
	}
}

/* Handles libipt's next event. Returns libipt's next status, or -pte_nomem. */
static int take_event(struct fargs_pt_libipt *d)
{
	struct pt_event ev;
	uint64_t offset;
	bool has_offset = fargs_pt_stepper_get_offset(&d->stepper, &offset) >= 0;
	int status = fargs_pt_stepper_event(&d->stepper, &ev);

	if (status < 0)
		return status;
	if (has_offset && is_reached(&ev))
		d->passed = offset;
	fargs_pt_on_event(d, &ev);
	/*
	 * Apply changes of code up to the event's time. libipt 2.1 reports this time only with the
	 * event.
	 */
	return fargs_pt_change_code(d) ? -pte_nomem : status;
}

/*
 * Follows blocks from a PSB to an error or the end. @status: libipt's result from synchronizing
 * with the PSB. Returns libipt's status, or 0 if libipt is stuck. Sets @b to the last block.
 */
static int follow_blocks(struct fargs_pt_libipt *d, int status, struct pt_block *b)
{
	bool is_plain = d->stepper.blocks && !d->cycles;

	for (;;) {
		while (status & pts_event_pending) {
			status = take_event(d);
			/*
			 * The trace ends before the next event, which would show the target of the
			 * last branch.
			 */
			if (status == -pte_eos)
				b->ip = 0;
			if (status < 0)
				return status;
		}
		if (status & pts_eos) {
			/* Sets b->ip to where the next block would begin. */
			fargs_pt_stepper_next(&d->stepper, b);
			return -pte_eos;
		}
		if (is_plain && !d->is_new)
			status = d->has_programs ? follow_programs(d, b) : follow_plain(d, b);
		else
			status = fargs_pt_stepper_next(&d->stepper, b);
		/* After -pte_eos, it is unknown whether the block was executed. */
		if (status < 0) {
			if (b->ninsn && status != -pte_eos)
				on_block(d, b);
			return status;
		}
		if (b->ninsn)
			on_block(d, b);
		if (note_position(d))
			return -pte_nomem;
		if (d->nr_insns > d->stuck_at)
			return 0;
	}
}

int fargs_pt_follow(struct fargs_pt_libipt *d, int status)
{
	struct pt_block b = { };

	d->stuck_at = d->nr_insns + STUCK_INSNS;
	status = follow_blocks(d, status, &b);
	d->next_ip = b.ip;
	return status;
}
