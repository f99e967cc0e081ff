/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A common interface to libipt's block decoder and instruction decoder. Decoding by blocks is four
 * times as fast; with the instruction decoder, each instruction is a block.
 *
 * The functions correspond to libipt's functions of the same names, and return the same results.
 */
#ifndef FARGS_SOURCE_PT_DECODE_STEPPER_H
#define FARGS_SOURCE_PT_DECODE_STEPPER_H

#include <intel-pt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/decode/libipt/version.h"

/* Initialize with zeroes. Then fargs_pt_stepper_init() sets exactly one of the members. */
struct fargs_pt_stepper {
	struct pt_block_decoder *blocks;
	struct pt_insn_decoder *insns;
};

/*
 * Creates a decoder whose blocks end after calls and jumps. The data that @config points to is not
 * copied. Returns false if out of memory.
 */
static inline bool fargs_pt_stepper_init(struct fargs_pt_stepper *s, struct pt_config *config,
					 bool is_by_insn)
{
	*s = (struct fargs_pt_stepper){ };
	if (is_by_insn) {
		s->insns = pt_insn_alloc_decoder(config);
		return s->insns;
	}
	config->flags.variant.block.end_on_call = 1;
	config->flags.variant.block.end_on_jump = 1;
	/*
	 * Since libipt 2.1, the block decoder updates its time only after it has followed
	 * everything that a packet reports; tick events report the packet's time at once.
	 */
	config->flags.variant.block.enable_tick_events = fargs_pt_libipt_is(2, 1);
	s->blocks = pt_blk_alloc_decoder(config);
	return s->blocks;
}

static inline void fargs_pt_stepper_deinit(struct fargs_pt_stepper *s)
{
	pt_blk_free_decoder(s->blocks);
	pt_insn_free_decoder(s->insns);
	*s = (struct fargs_pt_stepper){ };
}

static inline int fargs_pt_stepper_set_image(struct fargs_pt_stepper *s, struct pt_image *image)
{
	return s->blocks ? pt_blk_set_image(s->blocks, image) :
			   pt_insn_set_image(s->insns, image);
}

static inline int fargs_pt_stepper_sync_set(struct fargs_pt_stepper *s, uint64_t offset)
{
	return s->blocks ? pt_blk_sync_set(s->blocks, offset) :
			   pt_insn_sync_set(s->insns, offset);
}

static inline int fargs_pt_stepper_get_offset(const struct fargs_pt_stepper *s, uint64_t *offset)
{
	return s->blocks ? pt_blk_get_offset(s->blocks, offset) :
			   pt_insn_get_offset(s->insns, offset);
}

/*
 * Returns -pte_no_time if there is no time, even where libipt returns success: since 2.1, its block
 * decoder sets the time to zero, or to all ones before the first event. lost_mtc and lost_cyc are
 * unused, but libipt requires them.
 */
static inline int fargs_pt_stepper_time(struct fargs_pt_stepper *s, uint64_t *tsc)
{
	uint32_t lost_mtc, lost_cyc;
	int status = s->blocks ? pt_blk_time(s->blocks, tsc, &lost_mtc, &lost_cyc) :
				 pt_insn_time(s->insns, tsc, &lost_mtc, &lost_cyc);

	return status < 0 || (*tsc && *tsc != UINT64_MAX) ? status : -pte_no_time;
}

static inline int fargs_pt_stepper_event(struct fargs_pt_stepper *s, struct pt_event *ev)
{
	return s->blocks ? pt_blk_event(s->blocks, ev, sizeof(*ev)) :
			   pt_insn_event(s->insns, ev, sizeof(*ev));
}

/*
 * Sets only ip, end_ip, isid, ninsn and iclass of @b. On errors, ip is the address of the failure,
 * and the other members describe the instructions executed before.
 */
static inline int fargs_pt_stepper_next(struct fargs_pt_stepper *s, struct pt_block *b)
{
	struct pt_insn insn;
	int status;

	b->ip = 0;
	b->ninsn = 0;
	if (s->blocks)
		return pt_blk_next(s->blocks, b, sizeof(*b));
	insn = (struct pt_insn){ .iclass = ptic_error };
	status = pt_insn_next(s->insns, &insn, sizeof(insn));
	b->ip = insn.ip;
	b->end_ip = insn.ip;
	b->isid = insn.isid;
	b->iclass = insn.iclass;
	b->ninsn = insn.iclass != ptic_error;
	return status;
}

#endif
