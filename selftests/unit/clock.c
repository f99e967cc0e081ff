// SPDX-License-Identifier: GPL-2.0-only
/* TSC to perf clock, with answers worked out by hand. */
#include "decode/clock.h"

#include <stdlib.h>

#include "unit/ktap.h"

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
}

static void interpolates_between_samples(void)
{
	struct fargs_clockline *cl;

	fresh(2000000);
	round_of(1000, 500, 0, 0);
	round_of(3000, 1600, 0, 0);	/* 0.55 ns a tick */
	round_of(5000, 2400, 0, 0);	/* 0.4 */
	cl = fargs_clockline_create(&meta, NULL);
	REQUIRE(cl);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1000), 500);
	CHECK_INT(fargs_clockline_ns(cl, 0, 2000), 1050);
	CHECK_INT(fargs_clockline_ns(cl, 0, 2001), 1051);	/* 1050.55 */
	CHECK_INT(fargs_clockline_ns(cl, 0, 3000), 1600);
	CHECK_INT(fargs_clockline_ns(cl, 0, 4000), 2000);
	CHECK_INT(fargs_clockline_ns(cl, 0, 1500), 775);
	fargs_clockline_destroy(cl);
}

static void extrapolates_at_the_tscs_rate(void)
{
	struct fargs_clockline *cl;

	fresh(2500000);	/* 0.4 ns a tick */
	round_of(1000, 500, 0, 0);
	round_of(3000, 1600, 0, 0);
	cl = fargs_clockline_create(&meta, NULL);
	CHECK_INT(fargs_clockline_ns(cl, 0, 500), 300);
	CHECK_INT(fargs_clockline_ns(cl, 0, 13000), 5600);
	/* three days: 2.5 GHz * 259200 s, beyond 32 and 53 bits on the way */
	CHECK_INT(fargs_clockline_ns(cl, 0, 3000 + 648000000000000ull), 1600 + 259200000000000ull);
	/* before the clock began */
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
	/* CPU 2 was offline throughout: as its neighbour */
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
	round_of(900, 5000, 0, 0);	/* its TSC went back */
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
	CHECK_STR(err.text, "the rate of the time stamp counter is not known");
	fresh(1000000);
	/* but no sample: as if both began with 0 */
	cl = fargs_clockline_create(&meta, &err);
	CHECK_INT(fargs_clockline_ns(cl, 1, 1234), 1234);
	fargs_clockline_destroy(cl);
}

static const struct ktap_test tests[] = {
	{ "interpolates between samples", interpolates_between_samples },
	{ "extrapolates at the TSC's rate", extrapolates_at_the_tscs_rate },
	{ "keeps CPUs apart", keeps_cpus_apart },
	{ "passes over offline and backward samples", passes_over_offline_and_backward_samples },
	{ "survives extremes", survives_extremes },
	{ "wants a rate", wants_a_rate },
};

int main(void)
{
	int ret = KTAP_RUN(tests);

	fargs_meta_deinit(&meta);
	return ret;
}
