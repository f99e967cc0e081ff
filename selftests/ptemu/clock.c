// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"

#include "model.h"

/*
 * Maximum number of MTC periods without an MTC. An MTC has eight bits, so a longer gap would be
 * ambiguous: the CPU is then considered to have slept, and writes the full time when it wakes up.
 */
#define MTC_GAP_MAX	200

static uint64_t mtc_now(const struct clock *clock, uint64_t tsc)
{
	return tsc / CLOCK_RATIO >> clock->mtc_period;
}

void clock_start(struct clock *clock, uint64_t control, uint64_t tsc)
{
	unsigned int threshold = control >> CTL_CYC_THRESH_SHIFT & 15;

	clock->has_tsc = control & CTL_TSC_EN;
	clock->has_mtc = control & CTL_MTC_EN;
	clock->has_cyc = control & CTL_CYC_EN;
	clock->mtc_period = control >> CTL_MTC_FREQ_SHIFT & 15;
	clock->cyc_threshold = threshold ? 1ull << (threshold - 1) : 0;
	clock->last_mtc = mtc_now(clock, tsc);
	clock->last_cyc = tsc;
}

void clock_tsc(struct clock *clock, struct packet_out *out, uint64_t tsc)
{
	uint64_t ctc = tsc / CLOCK_RATIO;

	if (!clock->has_tsc)
		return;
	packet_tsc(out, tsc);
	if (!clock->has_mtc)
		return;
	packet_tma(out, (uint16_t)ctc, (uint16_t)(tsc % CLOCK_RATIO));
	clock->last_mtc = mtc_now(clock, tsc);
}

void clock_wake(struct clock *clock, struct packet_out *out, uint64_t tsc)
{
	clock_tsc(clock, out, tsc);
	packet_cbr(out, CLOCK_CBR);
}

/* Sets *@due to the time at which the MTC was due; after a long sleep, to the end of the sleep. */
bool clock_is_mtc_due(const struct clock *clock, uint64_t tsc, uint64_t *due)
{
	uint64_t nr = mtc_now(clock, tsc) - clock->last_mtc;

	if (!clock->has_mtc || !nr)
		return false;
	*due = nr > MTC_GAP_MAX ? tsc : ((clock->last_mtc + 1) << clock->mtc_period) * CLOCK_RATIO;
	return true;
}

void clock_mtc(struct clock *clock, struct packet_out *out, uint64_t tsc)
{
	uint64_t now = mtc_now(clock, tsc);

	if (now - clock->last_mtc > 1 && clock->has_tsc) {
		clock_wake(clock, out, tsc);
		return;
	}
	clock->last_mtc = now;
	packet_mtc(out, (uint8_t)now);
}

void clock_cyc(struct clock *clock, struct packet_out *out, uint64_t tsc)
{
	if (!clock->has_cyc || tsc <= clock->last_cyc ||
	    tsc - clock->last_cyc < clock->cyc_threshold)
		return;
	packet_cyc(out, tsc - clock->last_cyc);
	clock->last_cyc = tsc;
}
