/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated clock, and the timing packets that it causes. It counts core cycles; everything
 * else follows exactly from stated ratios:
 *
 *	TSC	grows by nominal/cbr each cycle, and while the core sleeps
 *	CTC	the crystal clock: TSC * ctc_eax / ctc_ebx (CPUID 15H: EBX/EAX = TSC/CTC)
 *
 * In a guest, the TSC that the CPU reads, and that TSC packets contain, is scaled, then offset
 * (SDM, "TSC packets generated while in VMX non-root operation"); the crystal clock is not.
 */
#ifndef SYNTH_TIMING_H
#define SYNTH_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "ptemu/packet.h"

struct timing_config {
	bool has_tsc, has_mtc, has_cyc;
	unsigned int mtc_period;	/* an MTC each 2^n ticks of the CTC */
	uint64_t cyc_threshold;		/* a CYC for fewer cycles is omitted */
	unsigned int nominal, cbr;	/* ratio of the TSC, and of the core, to the bus clock */
	unsigned int ctc_eax, ctc_ebx;
	uint64_t tsc;			/* at the start */
	bool is_skz84;			/* the erratum, see timing_tsc() */
};

struct timing {
	struct timing_config config;
	uint64_t cycles;		/* of the core, since the start */
	uint64_t base_cycles, base_tsc;	/* where the ratio last changed */
	uint64_t last_mtc;		/* CTC >> mtc_period */
	uint64_t last_cyc;		/* cycles at the last CYC */
	bool is_guest;
	int64_t offset;			/* of the guest's TSC */
	uint64_t multiplier;		/* with 48 bits of fraction; 0: no scaling */
};

void timing_init(struct timing *timing, const struct timing_config *config);
uint64_t timing_now(const struct timing *timing);
uint64_t timing_guest_now(const struct timing *timing);
/* Whether an MTC becomes due in the next cycles. */
bool timing_is_due(const struct timing *timing, uint64_t cycles);
/* Lets cycles pass. Writes the MTCs that become due; @out may be NULL. */
void timing_advance(struct timing *timing, struct packet_out *out, uint64_t cycles);
/* Lets @ticks of the TSC pass while the core's clock stands still. */
void timing_sleep(struct timing *timing, uint64_t ticks);
void timing_ratio(struct timing *timing, unsigned int cbr);
/* Writes TSC and TMA. */
void timing_tsc(struct timing *timing, struct packet_out *out);
/* Starts counting cycles and ticks anew, as after the trace was off. */
void timing_restart(struct timing *timing);
/* Writes the CYC for what happened at @cycles, if one is due. */
void timing_cyc(struct timing *timing, struct packet_out *out, uint64_t cycles);

#endif
