// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the times after packets were lost or damaged: what the trace says about them must be true
 * of a CPU whose time is known. MTCs count to 256, so after a longer hole they show no time, until
 * a TSC and a TMA do (SDM 3, "Intel Processor Trace", the definitions of MTC and TMA).
 */
#include <stdlib.h>

#include "source/pt/trace/decoder.h"
#include "unit/pt_program.h"

/* TSC ticks in an MTC period, and core cycles in a TSC tick. */
#define PERIOD		100
#define CYCLES		2
#define NOM_FREQ	16	/* the CBR of put_psb() is this times CYCLES */
#define BRANCHES_MAX	32

/* 1000 jmp *%rax; 1008 nop, the seq site; jmp *%rax; 1010 jz 1018; 1018 jmp *%rax */
static const uint8_t program[0x20] = {
	[0x00] = 0xff, 0xe0,
	[0x08] = 0x90, 0xff, 0xe0,
	[0x10] = 0x74, 0x06,
	[0x18] = 0xff, 0xe0,
};

#define SITE		(CODE + 8)

/* The CPU. */
static uint64_t now;			/* TSC */
static uint64_t last_cyc;		/* TSC of the last CYC */
static bool is_dropping;		/* what is written is lost */
static uint64_t branched[BRANCHES_MAX];	/* true times of the branches in the trace */
static size_t nr_branched;
static struct fargs_pt_flow flow;

static void put(const void *bytes, size_t n)
{
	if (!is_dropping)
		put_bytes(&trace, bytes, n);
}

static void put_cyc(void)
{
	uint64_t cycles = (now - last_cyc) * CYCLES;
	const uint8_t bytes[] = { 3 | cycles << 3 | (cycles > 31) << 2, cycles >> 5 << 1 };

	last_cyc = now;
	if (!in.config.has_cyc || !cycles)
		return;
	CHECK(cycles >> 5 < 128);
	put(bytes, 1 + (cycles > 31));
}

static void put_mtc(uint64_t nr)
{
	const uint8_t bytes[] = { 0x59, nr };

	put_cyc();
	put(bytes, sizeof(bytes));
}

/* Lets @ticks pass. */
static void run(uint64_t ticks)
{
	uint64_t end = now + ticks;

	while (now / PERIOD != end / PERIOD) {
		now = (now / PERIOD + 1) * PERIOD;
		put_mtc(now / PERIOD);
	}
	now = end;
}

static void put_tsc(void)
{
	uint64_t word = 0x19 | now << 8, ctc = now / PERIOD, fast = now % PERIOD;
	const uint8_t tma[] = { 2, 0x73, ctc, ctc >> 8, 0, fast, 0 };

	put(&word, 8);
	put(tma, sizeof(tma));
}

/* Writes a PSB+ with a TMA. */
static void sync_at(uint64_t ip)
{
	uint64_t fup = 0x7d | ip << 8;

	put_cyc();
	put("\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82", 16);
	put_tsc();
	put("\x02\x03\x20\x00", 4);
	put("\x99\x01", 2);
	put(&fup, 7);
	put("\x02\x23", 2);
}

/* The TIP of a branch to @to. */
static void branch(uint64_t to)
{
	const uint8_t bytes[] = { 0x2d, to, to >> 8 };

	put_cyc();
	put(bytes, sizeof(bytes));
	if (!is_dropping && nr_branched < BRANCHES_MAX)
		branched[nr_branched++] = now;
}

/* The CPU lost packets while @ticks passed. */
static void overflow(uint64_t ticks, uint64_t ip)
{
	const uint8_t fup[] = { 0x3d, ip, ip >> 8 };

	is_dropping = true;
	run(ticks);
	put_cyc();
	is_dropping = false;
	put("\x02\xf3", 2);
	put(fup, sizeof(fup));
}

/* The recording lost bytes while @ticks passed. What is left there is no packet. */
static void damage(uint64_t ticks)
{
	is_dropping = true;
	run(ticks);
	put_cyc();
	is_dropping = false;
	put("\x02\xff", 2);
}

static void begin(bool has_cyc)
{
	set_code(program, sizeof(program));
	in.config.has_tsc = true;
	in.config.has_mtc = true;
	in.config.has_cyc = has_cyc;
	in.config.cpuid_0x15_eax = 1;
	in.config.cpuid_0x15_ebx = PERIOD;
	in.config.nom_freq = NOM_FREQ;
	in.seq_sites[0] = SITE;
	now = 1000 * PERIOD + 30;
	last_cyc = now;
	nr_branched = 0;
	sync_at(CODE);
}

static void decode(void)
{
	decode_trace(&flow, 0, true);
}

static void end_test(void)
{
	fargs_pt_flow_deinit(&flow);
	fargs_pt_input_deinit(&in);
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/*
 * Checks the times of all branches in the flow, which must be those of the trace; a vague time says
 * nothing. Then those of seq sites, each of which precedes the branch after it, and of TICK items,
 * which the branch before them was not later than. Returns the number of branches whose time is not
 * vague.
 */
static size_t check_times(void)
{
	uint64_t error = fargs_pt_flow_error(&in.config);
	const struct fargs_pt_item *item;
	size_t nr = 0, nr_certain = 0;

	for (item = flow.items; item < flow.items + flow.nr; item++) {
		if (item->kind == FARGS_PT_SITE && nr < nr_branched &&
		    item->from > branched[nr] + error)
			ktap_fail(__FILE__, __LINE__, "site before branch %zu: at %" PRIu64
				  " or later, but the time was %" PRIu64, nr, item->from,
				  branched[nr]);
		if (item->kind == FARGS_PT_TICK && nr && item->to + error < branched[nr - 1])
			ktap_fail(__FILE__, __LINE__, "tick %" PRIu64 " after branch %zu, of %"
				  PRIu64, item->to, nr - 1, branched[nr - 1]);
		if (item->kind != FARGS_PT_BRANCH)
			continue;
		if (!(item->flags & FARGS_PT_VAGUE) && nr < nr_branched) {
			nr_certain++;
			if (difference(item->tsc, branched[nr]) > error)
				ktap_fail(__FILE__, __LINE__, "branch %zu at %" PRIu64
					  ", not at %" PRIu64, nr, item->tsc, branched[nr]);
		}
		nr++;
	}
	CHECK_INT(nr, nr_branched);
	return nr_certain;
}

/* Executes the seq site some times, while @periods pass. */
static void run_sites(unsigned int periods)
{
	for (; periods; periods--) {
		run(PERIOD + 3);
		branch(SITE);
		branch(CODE);
	}
}

/* After an overflow without TSC, the MTCs may have wrapped. */
static void wraps_in_an_overflow(void)
{
	begin(false);
	branch(SITE);
	branch(CODE);
	run(50 * PERIOD);
	branch(CODE);
	overflow(300 * PERIOD, CODE);
	run_sites(3);
	sync_at(CODE);
	run_sites(4);
	decode();
	CHECK_INT(check_times(), 3 + 8);
	end_test();
}

/* If a TSC and a TMA follow the overflow, the time is known. */
static void is_told_after_an_overflow(void)
{
	begin(false);
	branch(CODE);
	overflow(300 * PERIOD, CODE);
	put_tsc();
	run_sites(3);
	decode();
	CHECK_INT(check_times(), 7);
	CHECK(flow.nr && !(flow.items[flow.nr - 1].flags & FARGS_PT_VAGUE));
	end_test();
}

/*
 * A damaged MTC is one too low, as if 255 periods had passed. Nothing shows that, until the TIP, of
 * the same damage, does not fit the code.
 */
static void is_wrong_before_an_error(void)
{
	begin(false);
	run_sites(2);
	run(PERIOD / 2);
	put_mtc(now / PERIOD - 1);
	branch(CODE + 0x10);
	branch(SITE);
	/* These, and the branch before them, are not shown. */
	nr_branched -= 3;
	branch(CODE);
	run_sites(4);
	sync_at(CODE);
	run_sites(4);
	decode();
	check_times();
	end_test();
}

/* Cycles that were lost do not change the rate of those that follow. */
static void counts_cycles_after_a_hole(void)
{
	size_t i;

	begin(true);
	for (i = 0; i < 4; i++)
		run_sites(1);
	damage(300 * PERIOD);
	sync_at(CODE);
	for (i = 0; i < 8; i++)
		run_sites(1);
	run(PERIOD / 4);
	branch(CODE);
	decode();
	CHECK_INT(check_times(), nr_branched);
	CHECK(flow.nr);
	if (flow.nr) {
		CHECK_INT(flow.items[flow.nr - 1].kind, FARGS_PT_BRANCH);
		CHECK(difference(flow.items[flow.nr - 1].tsc, branched[nr_branched - 1]) <= 2);
	}
	end_test();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "after an overflow, MTCs alone show no time", wraps_in_an_overflow },
		{ "after an overflow, a TSC and a TMA show the time", is_told_after_an_overflow },
		{ "times from before an error are not believed after it",
		  is_wrong_before_an_error },
		{ "cycles lost in a hole do not change the rate", counts_cycles_after_a_hole },
	};

	return TEMP_RUN(tests);
}
