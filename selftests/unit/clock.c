// SPDX-License-Identifier: GPL-2.0-only
/* Tests the conversion of TSC values to the perf clock, with expected values computed by hand. */
#include "model/clock.h"

#include <stdlib.h>

#include "unit/ktap.h"

#define DOUBTED	(FARGS_CLOCK_VALID | FARGS_CLOCK_UNSTABLE)

static struct fargs_meta meta;

static void round_of(uint64_t tsc0, uint64_t ns0, uint64_t tsc1, uint64_t ns1)
{
	struct fargs_clock_sample samples[3] = {
		{ .tsc = tsc0, .perf_ns = ns0, .is_valid = tsc0 != 0 },
		{ .tsc = tsc1, .perf_ns = ns1, .is_valid = tsc1 != 0 },
	};

	fargs_meta_add_clock(&meta, samples);
}

static void fresh(uint32_t tsc_khz)
{
	fargs_meta_deinit(&meta);
	meta.info.nr_cpus = 3;
	meta.info.tsc_khz = tsc_khz;
	meta.info.tsc_stable = 0;
}

static void interpolates_between_samples(void)
{
	struct fargs_clockline *cl;

	fresh(2000000);
	round_of(1000, 500, 0, 0);
	round_of(3000, 1600, 0, 0);	/* 0.55 ns per tick */
	round_of(5000, 2400, 0, 0);	/* 0.4 ns per tick */
	cl = fargs_clockline_create(&meta, NULL);
	REQUIRE(cl);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1000), 500);
	CHECK_INT(fargs_clockline_ns(cl, 0, 2000), 1050);
	CHECK_INT(fargs_clockline_ns(cl, 0, 2001), 1051);	/* exact value: 1050.55 */
	CHECK_INT(fargs_clockline_ns(cl, 0, 3000), 1600);
	CHECK_INT(fargs_clockline_ns(cl, 0, 4000), 2000);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1500), 775);
	fargs_clockline_destroy(cl);
}

static void extrapolates_at_the_tscs_rate(void)
{
	struct fargs_clockline *cl;

	fresh(2500000);	/* 0.4 ns per tick */
	round_of(1000, 500, 0, 0);
	round_of(3000, 1600, 0, 0);
	cl = fargs_clockline_create(&meta, NULL);
	CHECK_INT(fargs_clockline_ns(cl, 0, 500), 300);
	CHECK_INT(fargs_clockline_ns(cl, 0, 13000), 5600);
	/*
	 * Test an intermediate result of more than 53 bits: three days later, that is, after 2.5
	 * GHz * 259200 s.
	 */
	CHECK_INT(fargs_clockline_ns(cl, 0, 3000 + 648000000000000ull), 1600 + 259200000000000ull);
	/* Test TSC values before the start of the clock. */
	CHECK_INT(fargs_clockline_ns(cl, 0, 0), 100);
	round_of(0, 0, 1000000, 5);
	fargs_clockline_update(cl, &meta);
	CHECK_INT(fargs_clockline_ns(cl, 1, 0), 0);
	fargs_clockline_destroy(cl);
}

static void keeps_cpus_apart(void)
{
	struct fargs_clockline *cl;

	fresh(1000000);
	round_of(1000, 1000, 1000, 9000);
	round_of(2000, 2000, 2000, 10500);
	cl = fargs_clockline_create(&meta, NULL);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1500), 1500);
	CHECK_INT(fargs_clockline_ns(cl, 1, 1500), 9750);
	/* CPU 2 was offline during the whole recording: it uses the line of its neighbour. */
	CHECK_INT(fargs_clockline_ns(cl, 2, 1500), 9750);
	CHECK_INT(fargs_clockline_ns(cl, 99, 1500), 1500);
	fargs_clockline_destroy(cl);
}

static void passes_over_offline_and_backward_samples(void)
{
	struct fargs_clockline *cl;

	fresh(1000000);
	round_of(1000, 1000, 0, 0);
	round_of(0, 0, 0, 0);
	round_of(900, 5000, 0, 0);	/* the CPU's TSC went backwards */
	round_of(2000, 3000, 0, 0);
	cl = fargs_clockline_create(&meta, NULL);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1500), 2000);
	CHECK_INT(fargs_clockline_ns(cl, 1, 1500), 2000);
	fargs_clockline_destroy(cl);
}

static void survives_extremes(void)
{
	struct fargs_clockline *cl;

	fresh(1);
	round_of(1, UINT64_MAX, 1, 0);
	round_of(UINT64_MAX, 0, UINT64_MAX, UINT64_MAX);
	cl = fargs_clockline_create(&meta, NULL);
	CHECK(fargs_clockline_ns(cl, 0, 2) == UINT64_MAX);
	CHECK(fargs_clockline_ns(cl, 1, UINT64_MAX) == UINT64_MAX);
	fargs_clockline_destroy(cl);
	fresh(1);
	round_of(1, UINT64_MAX, 1, 0);
	round_of(1ull << 61, 0, 1ull << 61, UINT64_MAX);
	cl = fargs_clockline_create(&meta, NULL);
	CHECK(fargs_clockline_ns(cl, 0, 1ull << 60) > UINT64_MAX / 2);
	CHECK(fargs_clockline_ns(cl, 1, 1ull << 60) < UINT64_MAX / 2);
	fargs_clockline_destroy(cl);
}

static void wants_a_rate(void)
{
	struct fargs_clockline *cl;
	struct fargs_error_text err;

	fresh(0);
	CHECK(!fargs_clockline_create(&meta, &err));
	CHECK_STR(err.text, "the frequency of the TSC is not known");
	fresh(1000000);
	/* Without samples, both clocks are assumed to begin with 0. */
	cl = fargs_clockline_create(&meta, &err);
	CHECK_INT(fargs_clockline_ns(cl, 1, 1234), 1234);
	fargs_clockline_destroy(cl);
}

static const struct fargs_clock_sample trusted[][3] = {
	{ { .tsc = 1000, .perf_ns = 5003, .width_tsc = 10, .is_valid = 1 },
	  { .tsc = 1100, .perf_ns = 5100, .width_tsc = 4, .is_valid = 1 }, },
	{ { .tsc = 2000, .perf_ns = 6000, .width_tsc = 2, .is_valid = 1 },
	  { .tsc = 2100, .perf_ns = 6109, .width_tsc = 20, .is_valid = 1 }, },
};

/* Makes a clock from the samples above. @is_stable: the kernel trusts the TSC. */
static struct fargs_clockline *trust(uint32_t tsc_khz, bool is_stable)
{
	fresh(tsc_khz);
	meta.info.tsc_stable = is_stable;
	fargs_meta_add_clock(&meta, trusted[0]);
	fargs_meta_add_clock(&meta, trusted[1]);
	return fargs_clockline_create(&meta, NULL);
}

/*
 * Tests the line for all CPUs: it passes through (1100, 5100) and (2000, 6000), the narrowest
 * sample of each round.
 */
static void has_one_line_while_the_tsc_is_trusted(void)
{
	struct fargs_clockline *cl = trust(1000000, true);

	REQUIRE(cl);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1000), 5000);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1500), 5500);
	CHECK_INT(fargs_clockline_ns(cl, 1, 1500), 5500);
	CHECK_INT(fargs_clockline_ns(cl, 2, 1500), 5500);
	CHECK_INT(fargs_clockline_ns(cl, 1, 2100), 6100);
	CHECK_INT(fargs_clockline_error_ns(cl), 0);
	CHECK(fargs_clockline_is_tsc(cl));
	CHECK(fargs_clockline_settled(cl) == UINT64_MAX);
	fargs_clockline_destroy(cl);
}

/*
 * Tests a TSC that is not trusted from one round on: each CPU then has its own line, even before
 * that round.
 */
static void parts_the_lines_when_the_tsc_is_not_trusted(void)
{
	static const struct fargs_clock_sample doubted[3] = {
		{ .tsc = 3000, .perf_ns = 7500, .width_tsc = 30, .is_valid = DOUBTED },
		{ .tsc = 3100, .perf_ns = 7109, .width_tsc = 7, .is_valid = DOUBTED },
	};
	struct fargs_clockline *cl = trust(2000000, true);

	REQUIRE(cl);
	CHECK_INT(fargs_clockline_add(cl, doubted), 0);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1000), 5003);
	CHECK_INT(fargs_clockline_ns(cl, 0, 2500), 6750);
	CHECK_INT(fargs_clockline_ns(cl, 1, 2500), 6509);
	CHECK_INT(fargs_clockline_ns(cl, 2, 2500), 6509);
	CHECK(!fargs_clockline_is_tsc(cl));
	/* Half the largest width on each of two CPUs: 30 ticks of 0.5 ns in total. */
	CHECK_INT(fargs_clockline_error_ns(cl), 15);
	CHECK_INT(fargs_clockline_settled(cl), 7109);
	fargs_clockline_destroy(cl);
}

/*
 * Tests an older file, whose samples have no flag for a TSC that is not trusted: only tsc_stable
 * shows it.
 */
static void parts_the_lines_of_an_older_file(void)
{
	struct fargs_clockline *cl = trust(1000000, false);

	REQUIRE(cl);
	CHECK(!fargs_clockline_is_tsc(cl));
	CHECK_INT(fargs_clockline_ns(cl, 0, 1000), 5003);
	CHECK_INT(fargs_clockline_ns(cl, 1, 2100), 6109);
	/* Half the largest width on each of two CPUs: 20 ticks of 1 ns in total. */
	CHECK_INT(fargs_clockline_error_ns(cl), 20);
	fargs_clockline_destroy(cl);
}

/* Tests a long live session: recent times stay exact although old rounds are dropped. */
static void forgets_old_rounds_of_a_live_session(void)
{
	struct fargs_clock_sample round[3] = { { .width_tsc = 1, .is_valid = DOUBTED } };
	struct fargs_clockline *cl;
	uint64_t tsc = 0, ns = 0;
	unsigned int i;

	fresh(1000000);
	cl = fargs_clockline_create(&meta, NULL);
	REQUIRE(cl);
	for (i = 0; i < 10000; i++) {
		/* The rate of the clock differs from round to round. */
		tsc += 1000;
		ns += 500 + i % 1000;
		round[0].tsc = tsc;
		round[0].perf_ns = ns;
		REQUIRE(!fargs_clockline_add(cl, round));
	}
	CHECK_INT(fargs_clockline_ns(cl, 0, tsc), ns);
	CHECK_INT(fargs_clockline_ns(cl, 0, tsc - 1000), ns - 1499);
	CHECK_INT(fargs_clockline_ns(cl, 0, tsc - 1500), ns - 1499 - 749);
	/* Within the last 1000 rounds, each rate occurred once. */
	CHECK_INT(fargs_clockline_ns(cl, 0, tsc - 1000000), ns - 999500);
	fargs_clockline_destroy(cl);
}

static const struct ktap_test tests[] = {
	{ "interpolates between samples", interpolates_between_samples },
	{ "extrapolates at the TSC's rate", extrapolates_at_the_tscs_rate },
	{ "converts each CPU's times separately", keeps_cpus_apart },
	{ "skips samples that are offline or go backwards",
	  passes_over_offline_and_backward_samples },
	{ "handles extreme values", survives_extremes },
	{ "requires a rate", wants_a_rate },
	{ "uses one line for all CPUs while the TSC is trusted",
	  has_one_line_while_the_tsc_is_trusted },
	{ "uses a line for each CPU if the TSC is not trusted",
	  parts_the_lines_when_the_tsc_is_not_trusted },
	{ "uses a line for each CPU for an older file", parts_the_lines_of_an_older_file },
	{ "drops old rounds of a live session", forgets_old_rounds_of_a_live_session },
};

int main(void)
{
	int ret = KTAP_RUN(tests);

	fargs_meta_deinit(&meta);
	return ret;
}
