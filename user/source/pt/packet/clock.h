/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time in a trace, from TSC, TMA, MTC, CBR and CYC packets. Source: Intel SDM, volume 3, "Intel
 * Processor Trace", the definitions of these packets and the sections on timing. All times are in
 * ticks of the TSC, of which packets have the lower 56 bits (2^56 ticks are 278 days at 3 GHz).
 *
 * What the packets say:
 *	TSC	The TSC, exactly.
 *	TMA	Follows a TSC: at its time, the crystal clock had made so many ticks (CTC, 16 bits),
 *		the last of them so many ticks of the TSC ago (the fast counter). A tick of the
 *		crystal clock is CPUID.15H:EBX / CPUID.15H:EAX ticks of the TSC.
 *	MTC	The CTC has just become a multiple of 2^MTCFreq. Eight bits of it, from bit MTCFreq,
 *		count the periods since the last MTC, of which less than 256 may be lost; or since
 *		the TMA, which has the lower 16 - MTCFreq of these bits.
 *		If CPUID.15H is not known, or the crystal clock has more than 511 TSC ticks, which
 *		TMA cannot express, MTCs are ignored.
 *	CYC	So many cycles of the core since the last CYC.
 *	CBR	The ratio of the core's clock to the bus clock. The ratio of the TSC is @nom_freq of
 *		the configuration. If that is 0, cycles have no rate before the second MTC.
 *
 * What no packet says: how long after its time a packet is written. Where these are a few cycles,
 * as the SDM implies, the bounds below are wrong by these few cycles.
 */
#ifndef FARGS_SOURCE_PT_PACKET_CLOCK_H
#define FARGS_SOURCE_PT_PACKET_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct fargs_pt_config;
struct fargs_pt_packet;

/* Maximum error of the time of an MTC: TMA contains whole ticks. */
#define FARGS_PT_CLOCK_MTC_ERROR	2

/*
 * May be copied, for example to read ahead. All fields are to be read only; those of the second
 * group only by the clock.
 *
 * How to bound the time of what a packet reports: it was executed at @min or later, where @min is
 * read before the next timing packet is taken; and at @max or earlier, where @max is read after the
 * first later packet that leaves it below UINT64_MAX. Only TSC and MTC have an upper bound: the
 * rate of cycles is not exactly known. A TNT is an exception, since the CPU collects branches over
 * timing packets: @min applies to its newest branch; the others are not earlier than what the
 * previous packet with branches reported.
 */
struct fargs_pt_clock {
	/*
	 * Best estimate of the time of the last timing packet; 0: unknown, because there was no
	 * TSC. It never decreases, except at a TSC, because that is always exact: a CYC before it
	 * had a later estimate, or the TSC was written.
	 *
	 * Error: 0 after a TSC; FARGS_PT_CLOCK_MTC_ERROR after an MTC; after a CYC, less than an
	 * MTC period more than that, if no MTC was lost, else another period for each. Without
	 * MTCs, and after an OVF without TSC and TMA, there is no bound.
	 */
	uint64_t tsc;
	/* The last timing packet was generated at @min or later, and at @max or earlier. */
	uint64_t min;
	uint64_t max;			/* UINT64_MAX: unknown */
	/* When the next MTC is due: @tsc is not later. UINT64_MAX: unknown. */
	uint64_t next_mtc;
	uint64_t nr_cycles;		/* sum of all CYCs */
	uint64_t nr_lost_mtcs;		/* as far as later MTCs show it */
	uint8_t cbr;			/* of the last CBR; 0: unknown */

	/* TSC ticks in an MTC period and in a tick of the crystal clock, * 2^32; 0: unknown. */
	uint64_t period, crystal;
	/* The last multiple of the MTC period, to which @mtc belongs: TSC and fraction / 2^32. */
	uint64_t mtc_tsc;
	uint32_t mtc_fraction;
	uint8_t mtc;
	uint8_t mtc_mask;		/* known bits of @mtc; 0: none, without a TMA */
	uint8_t mtc_freq, nom_freq;
	bool is_skl168;
	bool is_tma_due;		/* no TMA since the last TSC, whose time is @tsc_tsc */
	bool is_tma_last;		/* no MTC since the last TMA */
	bool is_cyc_last;		/* the last packet was a CYC */
	bool is_psb;			/* the next TSC belongs to a PSB+ */
	bool is_gap;			/* any number of MTCs may be missing before the next one */
	uint64_t tsc_tsc;
	uint64_t rate;			/* TSC ticks per cycle * 2^32; 0: unknown */
	/* When @nr_cycles was @cyc_cycles, it was about @cyc_tsc. */
	uint64_t cyc_tsc, cyc_cycles;
	/*
	 * Calibration of @rate: it began at an MTC, at @begin_tsc (0: it will begin at the next
	 * MTC), @nr_mtcs ago, when @nr_cycles was @begin_cycles; it ends after @next_nr_mtcs.
	 */
	uint64_t begin_tsc, begin_cycles;
	uint32_t nr_mtcs, next_nr_mtcs;
	bool is_calibration_gap;	/* cycles may be missing from it */
	bool is_rate_rough;		/* cycles may be missing from the last one */
};

/* @errata: of fargs_pt_errata(). */
void fargs_pt_clock_init(struct fargs_pt_clock *c, const struct fargs_pt_config *config,
			 uint16_t errata);

/*
 * To be called with all TSC, TMA, MTC, CBR, CYC, PSB, OVF, PGE and PGD packets; others have no
 * effect. Packets may be damaged: the values are then wrong until the next TSC, but nothing else.
 */
void fargs_pt_clock_take(struct fargs_pt_clock *c, const struct fargs_pt_packet *packet);
/* As fargs_pt_clock_take() of an MTC with the value @mtc. */
void fargs_pt_clock_take_mtc(struct fargs_pt_clock *c, uint8_t mtc);

/* To be called where packets are missing: the trace has a hole, or cannot be read. */
void fargs_pt_clock_lose(struct fargs_pt_clock *c);

/*
 * Returns whether the error of @tsc has no limit: packets are missing, and no TSC and TMA have come
 * since. Without MTCs, there is never a TMA.
 */
static inline bool fargs_pt_clock_is_vague(const struct fargs_pt_clock *c)
{
	return c->is_gap;
}

#endif
