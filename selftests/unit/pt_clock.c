// SPDX-License-Identifier: GPL-2.0-only
/* Tests the clock with packets whose times are computed by hand. */
#include "source/pt/packet/clock.h"

#include "source/pt/input/input.h"
#include "source/pt/packet/errata.h"
#include "source/pt/packet/packet.h"
#include "unit/ktap.h"

/* A tick of the crystal clock is 108 ticks of the TSC, an MTC period 864. */
static const struct fargs_pt_config intel = {
	.has_tsc = true, .has_mtc = true, .has_cyc = true, .cpuid_0x15_eax = 2,
	.cpuid_0x15_ebx = 216, .mtc_freq = 3, .nom_freq = 24,
};

static struct fargs_pt_clock begin(const struct fargs_pt_config *config)
{
	struct fargs_pt_clock c;

	fargs_pt_clock_init(&c, config, 0);
	CHECK(!c.tsc && !c.min && c.max == UINT64_MAX);
	return c;
}

static void take(struct fargs_pt_clock *c, enum fargs_pt_packet_kind kind, uint64_t value,
		 uint16_t nr)
{
	fargs_pt_clock_take(c, &(struct fargs_pt_packet){ .kind = kind, .value = value,
							  .nr = nr });
}

/* The numbers are from the formula in the SDM, section "Estimating TSC within Intel PT". */
static void by_hand(void)
{
	struct fargs_pt_clock c = begin(&intel);

	/* A period is 8 * 108 ticks. At the TSC, CTC 0x1235 was 100 ticks ago, 0x1230 640. */
	take(&c, FARGS_PT_PACKET_TSC, 1000000, 0);
	take(&c, FARGS_PT_PACKET_TMA, 0x1235, 100);
	CHECK(c.tsc == 1000000 && c.min == 1000000 && c.max == 1000000);
	CHECK(c.next_mtc == 1000000 - 640 + 864);
	/* The MTC to which the TMA belongs may follow it. */
	take(&c, FARGS_PT_PACKET_MTC, 0x1230 >> 3 & 0xff, 0);
	CHECK(c.tsc == 1000000 && c.min == 1000000 && c.max == UINT64_MAX);
	take(&c, FARGS_PT_PACKET_MTC, 0x1238 >> 3 & 0xff, 0);
	CHECK(c.tsc == 1000224 && c.min == 1000222 && c.max == 1000226 && !c.nr_lost_mtcs);
	take(&c, FARGS_PT_PACKET_CYC, 3456, 0);
	take(&c, FARGS_PT_PACKET_MTC, 0x1250 >> 3 & 0xff, 0);
	CHECK(c.tsc == 1000224 + 3 * 864 && c.nr_lost_mtcs == 2);
	/* A cycle is 24 / 32 ticks. The estimate ends at the next MTC. */
	take(&c, FARGS_PT_PACKET_CBR, 32, 0);
	take(&c, FARGS_PT_PACKET_CYC, 400, 0);
	CHECK(c.tsc == 1002816 + 300 && c.min == 1002814 && c.max == UINT64_MAX);
	take(&c, FARGS_PT_PACKET_CYC, 1000, 0);
	CHECK(c.tsc == 1002816 + 864 && c.nr_cycles == 4856);
	/* Eight equal bits: 256 periods. */
	take(&c, FARGS_PT_PACKET_MTC, 0x1250 >> 3 & 0xff, 0);
	CHECK(c.tsc == 1002816 + 256 * 864);
	/* An overflow hides MTCs. */
	take(&c, FARGS_PT_PACKET_OVF, 0, 0);
	take(&c, FARGS_PT_PACKET_MTC, 0x1258 >> 3 & 0xff, 0);
	CHECK(c.tsc == 1002816 + 257 * 864 && c.max == UINT64_MAX);
	/* A TSC without a TMA says nothing of the CTC. */
	take(&c, FARGS_PT_PACKET_TSC, 1226000, 0);
	take(&c, FARGS_PT_PACKET_MTC, 0x1278 >> 3 & 0xff, 0);
	CHECK(c.tsc == 1226000 && c.max == UINT64_MAX);
}

/* Writes a TSC and a TMA, @ticks after the beginning of MTC period @nr. */
static void take_full(struct fargs_pt_clock *c, unsigned int nr, unsigned int ticks)
{
	take(c, FARGS_PT_PACKET_TSC, 1000000 + 864 * nr + ticks, 0);
	take(c, FARGS_PT_PACKET_TMA, 8 * nr + ticks / 108, ticks % 108);
}

/* Writes CYCs and MTCs, from the end of period @nr to the end of period @last. */
static void take_periods(struct fargs_pt_clock *c, unsigned int nr, unsigned int last,
			 unsigned int cycles)
{
	for (; nr <= last; nr++) {
		take(c, FARGS_PT_PACKET_CYC, cycles, 0);
		take(c, FARGS_PT_PACKET_MTC, nr + 1, 0);
	}
}

/* Begins with a CBR that says that a cycle is a tick, which @cycles in a period differ from. */
static struct fargs_pt_clock begin_periods(uint16_t errata, unsigned int cycles)
{
	struct fargs_pt_clock c;

	fargs_pt_clock_init(&c, &intel, errata);
	take_full(&c, 0, 0);
	take(&c, FARGS_PT_PACKET_CBR, 24, 0);
	take_periods(&c, 0, 3, cycles);
	return c;
}

/* Returns the ticks in a hundred cycles, as the clock estimates them. */
static uint64_t rate_of(struct fargs_pt_clock c)
{
	uint64_t before = c.tsc;

	take(&c, FARGS_PT_PACKET_CYC, 100, 0);
	return c.tsc - before;
}

static void calibration(void)
{
	struct fargs_pt_clock c = begin_periods(0, 864);
	unsigned int nr;

	CHECK_INT(rate_of(c), 100);
	CHECK_INT(rate_of(begin_periods(0, 432)), 200);
	/* The CPU slept and did not count. */
	take_full(&c, 4, 800);
	take_periods(&c, 4, 4, 64);
	take_periods(&c, 5, 9, 864);
	CHECK_INT(rate_of(c), 100);
	/* A PSB+ in the middle of each period makes no difference: the rate is measured. */
	c = begin_periods(0, 864);
	for (nr = 4; nr < 600; nr++) {
		take(&c, FARGS_PT_PACKET_CYC, 864, 0);
		take(&c, FARGS_PT_PACKET_PSB, 0, 0);
		take_full(&c, nr, 432);
		take(&c, FARGS_PT_PACKET_CBR, 24, 0);
		take_periods(&c, nr, nr, 864);
	}
	CHECK_INT(rate_of(c), 50);
	/* A CYC before the PSB is missing. */
	c = begin_periods(FARGS_PT_SKL168, 864);
	take(&c, FARGS_PT_PACKET_PSB, 0, 0);
	take_full(&c, 4, 800);
	take_periods(&c, 4, 4, 64);
	take_periods(&c, 5, 9, 864);
	CHECK_INT(rate_of(c), 100);
	/* Cycles before a CBR have the old rate. */
	take(&c, FARGS_PT_PACKET_CYC, 100, 0);
	take(&c, FARGS_PT_PACKET_CBR, 12, 0);
	take(&c, FARGS_PT_PACKET_CYC, 100, 0);
	CHECK(c.tsc == 1000000 + 864 * 10 + 300);
}

/* Without CPUID.15H, or before a TSC, MTCs have no time. */
static void unknown(void)
{
	struct fargs_pt_clock c = begin(&(struct fargs_pt_config){ .has_tsc = true });

	take(&c, FARGS_PT_PACKET_TSC, 1000, 0);
	take(&c, FARGS_PT_PACKET_TMA, 10, 10);
	take(&c, FARGS_PT_PACKET_MTC, 1, 0);
	CHECK(c.tsc == 1000 && c.min == 1000 && c.max == UINT64_MAX);
	c = begin(&intel);
	take(&c, FARGS_PT_PACKET_TMA, 10, 10);
	take(&c, FARGS_PT_PACKET_MTC, 1, 0);
	take(&c, FARGS_PT_PACKET_CBR, 10, 0);
	take(&c, FARGS_PT_PACKET_CYC, 10, 0);
	CHECK(!c.tsc && !c.min && c.max == UINT64_MAX && c.nr_cycles == 10);
}

static const struct ktap_test tests[] = {
	{ "packets have the times that the SDM defines", by_hand },
	{ "the rate of cycles is that of the CBR, until MTCs show it", calibration },
	{ "without TSC, TMA or CPUID.15H times are unknown", unknown },
};

int main(void)
{
	return KTAP_RUN(tests);
}
