/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts core cycles from CYC packets. Each CYC precedes another packet and applies to it: to the
 * branch of a TIP, and to the first branch of a TNT (Intel SDM 3, "Cycle-Accurate Mode"). libipt
 * does not report which packet contains a branch. So the packets are parsed a second time, in step
 * with the flow: for each branch or event, the decoder passes the kind of packet that reports it.
 */
#ifndef FARGS_SOURCE_PT_DECODE_CYCLES_H
#define FARGS_SOURCE_PT_DECODE_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

struct pt_config;
struct fargs_pt_cycles;

/* Kind of packet that reports a branch or event of the flow. */
enum fargs_pt_led {
	FARGS_PT_LED_BY_BIT,	/* one bit of a TNT */
	FARGS_PT_LED_BY_TIP,
	FARGS_PT_LED_BY_RETURN,	/* either a bit of a TNT or a TIP */
	FARGS_PT_LED_BY_PGE,
	FARGS_PT_LED_BY_PGD,
	FARGS_PT_LED_BY_OVF,
};

/*
 * The trace in @config must begin with a PSB. CYC packets at offset @until or later are not
 * counted. @is_thresholded: the CPU omits some CYC packets (cyc_thresh), so a CYC applies only to
 * the packet directly after it. Returns NULL if out of memory.
 */
struct fargs_pt_cycles *fargs_pt_cycles_create(const struct pt_config *config, uint64_t until,
					       bool is_thresholded);
void fargs_pt_cycles_destroy(struct fargs_pt_cycles *c);

/*
 * Advances to the next packet that reports a branch or event, which should be of kind @lead.
 * Returns true if a CYC applies to the packet; *@nr is then the number of cycles from the beginning
 * of the trace to the packet. If the packet is of another kind, this call and all following calls
 * return false, until fargs_pt_cycles_sync().
 */
bool fargs_pt_cycles_take(struct fargs_pt_cycles *c, enum fargs_pt_led lead, uint64_t *nr);

/* Continues at the PSB at @offset. Call after an error in the flow. */
void fargs_pt_cycles_sync(struct fargs_pt_cycles *c, uint64_t offset);

/* Returns the cycles of the whole trace. fargs_pt_cycles_take() must not be called afterwards. */
uint64_t fargs_pt_cycles_finish(struct fargs_pt_cycles *c);

#endif
