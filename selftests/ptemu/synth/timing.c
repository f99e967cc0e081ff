// SPDX-License-Identifier: GPL-2.0-only
#include "timing.h"

void timing_init(struct timing *timing, const struct timing_config *config)
{
	*timing = (struct timing){ .config = *config, .base_tsc = config->tsc };
	timing_restart(timing);
}

/* a * b / c, where a * b has more than 64 bits. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c)
{
	return (uint64_t)((__uint128_t)a * b / c);
}

uint64_t timing_now(const struct timing *timing)
{
	return timing->base_tsc + scale(timing->cycles - timing->base_cycles,
					timing->config.nominal, timing->config.cbr);
}

/* The rule is that of RDTSC in a guest (SDM, "Changes to instruction behavior in non-root"). */
uint64_t timing_guest_now(const struct timing *timing)
{
	uint64_t tsc = timing_now(timing);

	if (!timing->is_guest)
		return tsc;
	if (timing->multiplier)
		tsc = (uint64_t)((__uint128_t)tsc * timing->multiplier >> 48);
	return tsc + (uint64_t)timing->offset;
}

static uint64_t ctc_of(const struct timing *timing, uint64_t tsc)
{
	return scale(tsc, timing->config.ctc_eax, timing->config.ctc_ebx);
}

static uint64_t mtc_of(const struct timing *timing, uint64_t tsc)
{
	return ctc_of(timing, tsc) >> timing->config.mtc_period;
}

void timing_restart(struct timing *timing)
{
	timing->last_mtc = mtc_of(timing, timing_now(timing));
	timing->last_cyc = timing->cycles;
}

/* Returns the number of cycles at the first moment with this TSC. */
static uint64_t cycles_at(const struct timing *timing, uint64_t tsc)
{
	unsigned int nominal = timing->config.nominal;
	__uint128_t cycles = (__uint128_t)(tsc - timing->base_tsc) * timing->config.cbr;

	return timing->base_cycles + (uint64_t)((cycles + nominal - 1) / nominal);
}

static uint64_t next_mtc(const struct timing *timing)
{
	uint64_t ctc = (timing->last_mtc + 1) << timing->config.mtc_period;
	unsigned int eax = timing->config.ctc_eax;

	return cycles_at(timing, (ctc * timing->config.ctc_ebx + eax - 1) / eax);
}

bool timing_is_due(const struct timing *timing, uint64_t cycles)
{
	return timing->config.has_mtc && next_mtc(timing) <= timing->cycles + cycles;
}

void timing_advance(struct timing *timing, struct packet_out *out, uint64_t cycles)
{
	uint64_t end = timing->cycles + cycles;

	while (timing->config.has_mtc && out && next_mtc(timing) <= end) {
		timing->cycles = next_mtc(timing);
		timing->last_mtc++;
		packet_mtc(out, (uint8_t)timing->last_mtc);
	}
	timing->cycles = end;
}

static void rebase(struct timing *timing, uint64_t tsc)
{
	timing->base_cycles = timing->cycles;
	timing->base_tsc = tsc;
}

void timing_sleep(struct timing *timing, uint64_t ticks)
{
	rebase(timing, timing_now(timing) + ticks);
	timing->last_mtc = mtc_of(timing, timing->base_tsc);
}

void timing_ratio(struct timing *timing, unsigned int cbr)
{
	rebase(timing, timing_now(timing));
	timing->config.cbr = cbr;
}

/*
 * The fast counter of TMA has the ticks of the TSC since the last tick of the crystal clock.
 *
 * SKZ84: in a guest with TSC offset or scaling, TMA has wrong values, and a byte follows that
 * belongs to no packet. Which ones is not documented; these are as in libipt's test of the erratum.
 */
void timing_tsc(struct timing *timing, struct packet_out *out)
{
	static const uint8_t corrupt[] = { 0x02, 0x73, 1, 1, 1, 1, 0, 0 };
	uint64_t tsc = timing_now(timing), ctc = ctc_of(timing, tsc);
	unsigned int eax = timing->config.ctc_eax;

	if (!timing->config.has_tsc)
		return;
	packet_tsc(out, timing_guest_now(timing));
	if (!timing->config.has_mtc)
		return;
	timing->last_mtc = ctc >> timing->config.mtc_period;
	if (timing->config.is_skz84 && timing->is_guest && (timing->offset || timing->multiplier)) {
		packet_bytes(out, corrupt, sizeof(corrupt));
		return;
	}
	packet_tma(out, (uint16_t)ctc, (uint16_t)(tsc - ctc * timing->config.ctc_ebx / eax));
}

void timing_cyc(struct timing *timing, struct packet_out *out, uint64_t cycles)
{
	if (!timing->config.has_cyc || cycles <= timing->last_cyc ||
	    cycles - timing->last_cyc < timing->config.cyc_threshold)
		return;
	packet_cyc(out, cycles - timing->last_cyc);
	timing->last_cyc = cycles;
}
