/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts core cycles from CYC packets. Each CYC precedes another packet and applies to it: to the
 * branch of a TIP, and to the first one of a TNT (Intel SDM 3, "Cycle-Accurate Mode"). libipt
 * does not report which packet a branch is in, so packets are parsed here a second time, in step
 * with the flow, which says which kind of packet led each of its steps.
 */
#ifndef FARGS_SOURCE_PT_DECODE_CYCLES_H
#define FARGS_SOURCE_PT_DECODE_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

struct pt_config;
struct fargs_pt_cycles;

/* Kind of packet that led a step of the flow. */
enum fargs_pt_lead {
	FARGS_PT_LEAD_BIT,	/* one bit of a TNT */
	FARGS_PT_LEAD_TIP,
	FARGS_PT_LEAD_RETURN,	/* either: TNT bit or TIP */
	FARGS_PT_LEAD_PGE,
	FARGS_PT_LEAD_PGD,
	FARGS_PT_LEAD_OVF,
};

/*
 * @config has a trace that begins with a PSB; cycles reported at byte @until or later are not
 * counted. @is_thresholded: some CYC packets are omitted, so that a CYC applies only to the next
 * packet. NULL: out of memory.
 */
struct fargs_pt_cycles *fargs_pt_cycles_create(const struct pt_config *config, uint64_t until,
					       bool is_thresholded);
void fargs_pt_cycles_destroy(struct fargs_pt_cycles *c);

/*
 * Takes the next packet that leads the flow, of kind @lead. True: the trace reports its cycle
 * count *@nr, from the beginning. Once the packets do not match the flow nothing is reported any
 * more, until fargs_pt_cycles_sync().
 */
bool fargs_pt_cycles_take(struct fargs_pt_cycles *c, enum fargs_pt_lead lead, uint64_t *nr);

/* Continues at the PSB at byte @offset after an error in the flow. */
void fargs_pt_cycles_sync(struct fargs_pt_cycles *c, uint64_t offset);

/* The cycles of the whole trace. Nothing may be taken after this. */
uint64_t fargs_pt_cycles_finish(struct fargs_pt_cycles *c);

#endif
