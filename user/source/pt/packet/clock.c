// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/packet/clock.h"

#include <string.h>

#include "source/pt/packet/config.h"
#include "source/pt/packet/errata.h"
#include "source/pt/packet/packet.h"

#define ONE		(UINT64_C(1) << 32)
/* TMA has this many bits of the CTC. */
#define TMA_BITS	16
#define CRYSTAL_MAX	511
/* The rate is calibrated after 1, 2, 4, ... MTC periods; from then on each time after so many. */
#define CALIBRATED_MTCS	256
/* Without CYCs, it is tried again after so many. */
#define NO_CYCLES_MTCS	16

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The calibration begins at the next MTC. */
static void begin_calibration(struct fargs_pt_clock *c)
{
	c->begin_tsc = 0;
	c->nr_mtcs = 0;
	c->next_nr_mtcs = 1;
}

void fargs_pt_clock_init(struct fargs_pt_clock *c, const struct fargs_pt_config *config,
			 uint16_t errata)
{
	uint64_t eax = config->cpuid_0x15_eax, ebx = config->cpuid_0x15_ebx;

	memset(c, 0, sizeof(*c));
	c->max = UINT64_MAX;
	c->next_mtc = UINT64_MAX;
	c->nom_freq = config->nom_freq;
	c->is_skl168 = errata & FARGS_PT_SKL168;
	begin_calibration(c);
	if (!eax || !ebx || ebx > CRYSTAL_MAX * eax || config->mtc_freq >= TMA_BITS)
		return;
	c->mtc_freq = config->mtc_freq;
	c->crystal = (ebx << 32) / eax;
	c->period = (uint64_t)(((__uint128_t)ebx << (32 + c->mtc_freq)) / eax);
}

/* Estimates the time of the last CYC. */
static uint64_t cyc_time(const struct fargs_pt_clock *c)
{
	return c->cyc_tsc + (uint64_t)((__uint128_t)(c->nr_cycles - c->cyc_cycles) * c->rate >> 32);
}

static void count_cycles_from(struct fargs_pt_clock *c, uint64_t tsc)
{
	c->cyc_tsc = tsc;
	c->cyc_cycles = c->nr_cycles;
}

static void take_tsc(struct fargs_pt_clock *c, uint64_t tsc)
{
	c->tsc = tsc;
	c->min = tsc;
	c->max = tsc;
	c->tsc_tsc = tsc;
	c->next_mtc = UINT64_MAX;
	c->mtc_mask = 0;
	c->is_tma_due = true;
	count_cycles_from(c, tsc);
	/* Unless it belongs to a PSB+, the CPU may have slept: then it did not count cycles. */
	c->is_calibration_gap |= !c->is_psb;
	c->is_psb = false;
}

/* Sets the time of the last multiple of the MTC period to @units / 2^32 after @tsc. */
static void set_mtc(struct fargs_pt_clock *c, uint64_t tsc, uint64_t units)
{
	c->mtc_tsc = tsc + (units >> 32);
	c->mtc_fraction = (uint32_t)units;
	c->next_mtc = c->mtc_tsc + ((c->mtc_fraction + c->period) >> 32);
}

static void take_tma(struct fargs_pt_clock *c, uint16_t ctc, uint16_t fast)
{
	uint64_t since;

	if (!c->is_tma_due || !c->period || fast > c->tsc_tsc)
		return;
	since = (ctc & ((1u << c->mtc_freq) - 1)) * c->crystal;
	/* If the period began before TSC 0, the time of the next one is still right. */
	set_mtc(c, c->tsc_tsc - fast - (since >> 32) - 1, ONE - (uint32_t)since);
	c->mtc = (uint8_t)(ctc >> c->mtc_freq);
	c->mtc_mask = (uint8_t)(0xffff >> c->mtc_freq);
	c->is_tma_due = false;
	c->is_tma_last = true;
	c->is_gap = false;
}

static __attribute__((noinline)) void calibrate(struct fargs_pt_clock *c)
{
	uint64_t ticks = c->mtc_tsc - c->begin_tsc, cycles = c->nr_cycles - c->begin_cycles;
	/* The rate of the CBR is better than one of which cycles are missing. */
	bool is_usable = !c->is_calibration_gap || !c->rate || c->is_rate_rough;

	if (c->begin_tsc && is_usable && cycles && ticks < ONE) {
		c->rate = (ticks << 32) / cycles;
		c->is_rate_rough = c->is_calibration_gap;
		c->next_nr_mtcs *= 2;
		if (c->next_nr_mtcs <= CALIBRATED_MTCS)
			return;
		c->next_nr_mtcs = CALIBRATED_MTCS;
	} else {
		c->next_nr_mtcs = cycles ? 1 : NO_CYCLES_MTCS;
	}
	c->begin_tsc = c->mtc_tsc;
	c->begin_cycles = c->nr_cycles;
	c->nr_mtcs = 0;
	c->is_calibration_gap = false;
}

void fargs_pt_clock_take_mtc(struct fargs_pt_clock *c, uint8_t mtc)
{
	unsigned int nr = (mtc - c->mtc) & c->mtc_mask;
	bool is_after_cyc = c->is_cyc_last;

	c->is_cyc_last = false;
	c->max = UINT64_MAX;
	if (!c->mtc_mask)
		return;
	if (!nr) {
		/* The MTC to which the TMA belongs was written after it. */
		if (c->is_tma_last)
			return;
		nr = 256;
	}
	c->mtc = mtc;
	c->mtc_mask = 0xff;
	c->is_tma_last = false;
	c->nr_lost_mtcs += nr - 1;
	set_mtc(c, c->mtc_tsc, c->mtc_fraction + nr * c->period);
	/*
	 * Usually a CYC precedes the MTC, and all cycles so far were before it. Else the next CYC
	 * counts from the last one.
	 */
	if (is_after_cyc ||
	    (c->nr_cycles == c->cyc_cycles ? c->cyc_tsc : cyc_time(c)) > c->mtc_tsc)
		count_cycles_from(c, c->mtc_tsc);
	c->nr_mtcs += nr;
	if (c->nr_mtcs >= c->next_nr_mtcs)
		calibrate(c);
	c->tsc = max(c->tsc, c->mtc_tsc);
	c->min = max(c->min + FARGS_PT_CLOCK_MTC_ERROR, c->mtc_tsc) - FARGS_PT_CLOCK_MTC_ERROR;
	if (!c->is_gap)
		c->max = max(c->tsc, c->mtc_tsc + FARGS_PT_CLOCK_MTC_ERROR);
}

static void take_cbr(struct fargs_pt_clock *c, uint8_t cbr)
{
	c->max = UINT64_MAX;
	/* PSB+ repeats it. */
	if (!cbr || cbr == c->cbr)
		return;
	count_cycles_from(c, cyc_time(c));
	if (c->nom_freq) {
		c->rate = c->nom_freq * ONE / cbr;
		c->is_rate_rough = false;
	} else if (c->cbr) {
		c->rate = (uint64_t)((__uint128_t)c->rate * c->cbr / cbr);
	}
	c->cbr = cbr;
	begin_calibration(c);
}

void fargs_pt_clock_lose(struct fargs_pt_clock *c)
{
	c->max = UINT64_MAX;
	c->next_mtc = UINT64_MAX;
	c->is_gap = true;
	c->is_tma_due = false;
	c->is_psb = false;
	begin_calibration(c);
}

__attribute__((noinline))
static void take_other(struct fargs_pt_clock *c, const struct fargs_pt_packet *packet)
{
	switch (packet->kind) {
	case FARGS_PT_PACKET_MTC:
		fargs_pt_clock_take_mtc(c, (uint8_t)packet->value);
		return;
	case FARGS_PT_PACKET_TSC:
		take_tsc(c, packet->value);
		break;
	case FARGS_PT_PACKET_TMA:
		take_tma(c, (uint16_t)packet->value, packet->nr);
		break;
	case FARGS_PT_PACKET_CBR:
		take_cbr(c, (uint8_t)packet->value);
		break;
	case FARGS_PT_PACKET_OVF:
		fargs_pt_clock_lose(c);
		break;
	case FARGS_PT_PACKET_PSB:
		c->is_psb = true;
		if (c->is_skl168)
			begin_calibration(c);
		break;
	case FARGS_PT_PACKET_PGE:
	case FARGS_PT_PACKET_PGD:
		/* Cycles between them may not be counted. */
		c->is_calibration_gap = true;
		break;
	default:
		return;
	}
	c->is_cyc_last = false;
}

void fargs_pt_clock_take(struct fargs_pt_clock *c, const struct fargs_pt_packet *packet)
{
	/* By far the most frequent: a CYC precedes most packets. */
	if (packet->kind != FARGS_PT_PACKET_CYC) {
		take_other(c, packet);
		return;
	}
	c->nr_cycles += packet->value;
	c->is_cyc_last = true;
	c->max = UINT64_MAX;
	if (c->tsc)
		c->tsc = max(c->tsc, min(cyc_time(c), c->next_mtc));
}
