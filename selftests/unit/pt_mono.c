// SPDX-License-Identifier: GPL-2.0-only
/* Tests how times of CLOCK_MONOTONIC are converted to the perf clock. */
#include "source/pt/input/mono.h"
#include "unit/ktap.h"

static struct fargs_pt_input in;

static bool is_ns(uint64_t mono_ns, uint64_t want)
{
	uint64_t got = 0;

	return fargs_pt_mono_convert(&in, mono_ns, &got) && got == want;
}

static void add(uint64_t mono_ns, uint64_t perf_ns)
{
	CHECK(!fargs_pt_mono_add(&in, mono_ns, perf_ns));
}

static void without_samples(void)
{
	uint64_t ns;

	fargs_pt_input_init(&in);
	fargs_pt_mono_sort(&in);
	CHECK(!fargs_pt_mono_convert(&in, 1000, &ns));
	fargs_pt_input_deinit(&in);
}

static void of_one_sample(void)
{
	fargs_pt_input_init(&in);
	add(1000, 5000);
	fargs_pt_mono_sort(&in);
	CHECK(is_ns(1000, 5000));
	CHECK(is_ns(999, 4999));
	CHECK(is_ns(1001, 5001));
	fargs_pt_input_deinit(&in);
}

/* In a year at most, CLOCK_MONOTONIC is slower by 500 ppm. */
static void of_several(void)
{
	const uint64_t year = 365ull * 86400 * 1000000000, perf = year + year / 2000;

	fargs_pt_input_init(&in);
	add(1000 + year, 400 + perf);
	add(1000, 400);
	add(1000, 400);
	fargs_pt_mono_sort(&in);
	CHECK(is_ns(700, 100));
	CHECK(is_ns(1000, 400));
	CHECK(is_ns(1000 + year / 2, 400 + perf / 2));
	CHECK(is_ns(1000 + year / 4 * 3, 400 + perf / 4 * 3));
	CHECK(is_ns(1000 + year, 400 + perf));
	CHECK(is_ns(3000 + year, 2400 + perf));
	fargs_pt_input_deinit(&in);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "without samples, nothing is converted", without_samples },
		{ "by one sample", of_one_sample },
		{ "by several samples", of_several },
	};

	return KTAP_RUN(tests);
}
