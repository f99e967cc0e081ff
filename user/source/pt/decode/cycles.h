/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many cycles of its core a CPU took, as packets CYC tell. Each is in front of another packet
 * and tells of that: of the branch of a TIP, and of the first one of a TNT (Intel SDM 3, "Cycle-
 * Accurate Mode"). libipt does not tell which packet a branch is in: so packets are read here
 * again, one after the other, as the flow says by what kind of them it was led.
 */
#ifndef FARGS_PT_CYCLES_H
#define FARGS_PT_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

struct pt_config;
struct fargs_pt_cycles;

/* What the flow was led by. */
enum fargs_pt_lead {
	FARGS_PT_LEAD_BIT,	/* one bit of a TNT */
	FARGS_PT_LEAD_TIP,
	FARGS_PT_LEAD_RETURN,	/* either of both: whichever comes */
	FARGS_PT_LEAD_PGE,
	FARGS_PT_LEAD_PGD,
	FARGS_PT_LEAD_OVF,
};

/*
 * @config is of a trace that begins with a PSB; cycles told of from byte @until on are not
 * counted. @is_thresholded: packets CYC were left out, so that only one right in front of a packet
 * tells of it. NULL: no memory.
 */
struct fargs_pt_cycles *fargs_pt_cycles_create(const struct pt_config *config, uint64_t until,
					       bool is_thresholded);
void fargs_pt_cycles_destroy(struct fargs_pt_cycles *c);

/*
 * The flow was led by another @lead. True: the trace tells that it was *@nr cycles from its
 * beginning. Where the packets are not what the flow says nothing is told any more.
 */
bool fargs_pt_cycles_take(struct fargs_pt_cycles *c, enum fargs_pt_lead lead, uint64_t *nr);

/* The flow was broken, and goes on with the PSB at byte @offset. */
void fargs_pt_cycles_sync(struct fargs_pt_cycles *c, uint64_t offset);

/* Of all the trace. Nothing may be taken any more. */
uint64_t fargs_pt_cycles_finish(struct fargs_pt_cycles *c);

#endif
