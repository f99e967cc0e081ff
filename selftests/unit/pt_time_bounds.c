// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests bounds of times, from records and from the trace: a bound must be true, and there is none
 * if the time is unknown.
 */
#include <stdlib.h>

#include "source/pt/calls/time_bounds.h"
#include "source/pt/decode/flow.h"
#include "unit/ktap.h"

static struct fargs_pt_stream streams[2] = { { .cpu = 0, .tid = -1 }, { .cpu = 3, .tid = -1 } };
static struct fargs_pt_input in = { .streams = streams, .nr_streams = 2 };
static struct fargs_pt_bounds *m;

/* One tick of the TSC is 1 ns. */
static void begin(bool has_mtc)
{
	in.config = (struct fargs_pt_config){
		.has_tsc = true, .has_mtc = has_mtc, .has_time = true, .time_mult = 1,
		.cpuid_0x15_eax = 1, .cpuid_0x15_ebx = 2, .mtc_freq = 3,
	};
	m = fargs_pt_bounds_create(&in);
	REQUIRE(m);
}

static void end(void)
{
	fargs_pt_bounds_destroy(m);
	m = NULL;
}

static struct fargs_pt_time_bounds bound(size_t stream, uint64_t since, uint64_t nr_nodes)
{
	struct fargs_pt_time_bounds time_bounds = FARGS_PT_TIME_UNKNOWN;

	fargs_pt_bounds_tighten(m, stream, since, nr_nodes, &time_bounds);
	return time_bounds;
}

static bool is(struct fargs_pt_time_bounds time_bounds, uint64_t first, uint64_t last)
{
	if (time_bounds.first_tsc == first && time_bounds.last_tsc == last)
		return true;
	printf("# from %" PRIu64 " to %" PRIu64 "\n", time_bounds.first_tsc, time_bounds.last_tsc);
	return false;
}

/*
 * Tests bounds from the trace: MTCs are 16 ticks apart, and times have the error that
 * source/pt/decode/flow.h defines.
 */
static void by_the_trace(void)
{
	uint64_t error;

	begin(true);
	error = fargs_pt_flow_error(&in.config);
	CHECK(error >= 16 && error < 16 * 16);
	CHECK(is(fargs_pt_bounds_from_trace(m, 10000), 10000 - error, 10000 + error));
	CHECK(is(fargs_pt_bounds_from_trace(m, 5), 0, 5 + error));
	CHECK(is(fargs_pt_bounds_from_trace(m, 0), 0, UINT64_MAX));
	end();
	begin(false);
	CHECK(is(fargs_pt_bounds_from_trace(m, 10000), 0, UINT64_MAX));
	end();
}

/* Tests bounds from records that were written after 4, 9 and 20 calls, on one of two CPUs. */
static void by_records(void)
{
	begin(false);
	CHECK(!fargs_pt_bounds_add(m, 3, 20, 3000));
	CHECK(!fargs_pt_bounds_add(m, 3, 4, 1000));
	CHECK(!fargs_pt_bounds_add(m, 3, 9, 2000));
	CHECK(!fargs_pt_bounds_add(m, 7, 9, 1));	/* this CPU was not traced */
	fargs_pt_bounds_finish(m);
	CHECK(is(bound(1, 0, 3), 0, 1000));
	CHECK(is(bound(1, 0, 4), 1000, 2000));
	CHECK(is(bound(1, 0, 8), 1000, 2000));
	CHECK(is(bound(1, 0, 9), 2000, 3000));
	CHECK(is(bound(1, 0, 30), 3000, UINT64_MAX));
	CHECK(is(bound(0, 0, 9), 0, UINT64_MAX));
	/* Records up to the ninth call are not used as lower bounds. */
	CHECK(is(bound(1, 9, 12), 0, 3000));
	CHECK(is(bound(1, 8, 12), 2000, 3000));
	end();
}

/*
 * Tests records in the wrong order: a record that was interrupted by another one has the later
 * time.
 */
static void in_disorder(void)
{
	begin(false);
	CHECK(!fargs_pt_bounds_add(m, 0, 4, 1500));
	CHECK(!fargs_pt_bounds_add(m, 0, 6, 1200));
	CHECK(!fargs_pt_bounds_add(m, 0, 8, 1800));
	fargs_pt_bounds_finish(m);
	CHECK(is(bound(0, 0, 3), 0, 1200));
	CHECK(is(bound(0, 0, 6), 1200, 1800));
	end();
}

/* Tests bounds both from records and from the trace: the tighter one is used. */
static void by_both(void)
{
	struct fargs_pt_time_bounds time_bounds;
	uint64_t error;

	begin(true);
	error = fargs_pt_flow_error(&in.config);
	CHECK(!fargs_pt_bounds_add(m, 0, 4, 1000));
	CHECK(!fargs_pt_bounds_add(m, 0, 9, 5000));
	fargs_pt_bounds_finish(m);
	time_bounds = fargs_pt_bounds_from_trace(m, 1001);
	fargs_pt_bounds_tighten(m, 0, 0, 5, &time_bounds);
	CHECK(is(time_bounds, 1000, 1001 + error));
	time_bounds = fargs_pt_bounds_from_trace(m, 4999);
	fargs_pt_bounds_tighten(m, 0, 0, 5, &time_bounds);
	CHECK(is(time_bounds, 4999 - error, 5000));
	end();
}

static bool between(uint64_t first, uint64_t last, uint64_t to_first, uint64_t to_last,
		    uint64_t least, uint64_t most)
{
	const struct fargs_pt_time_bounds from = { first, last }, to = { to_first, to_last };
	uint64_t a = 0, b = 0;

	return fargs_pt_bounds_between(m, &from, &to, &a, &b) && a == least && b == most;
}

static void spans(void)
{
	begin(true);
	CHECK(between(100, 110, 300, 310, 190, 210));
	CHECK(between(100, 150, 250, 300, 100, 200));
	/* The bounds differ by more than a factor of two. */
	CHECK(!between(100, 151, 250, 300, 99, 200));
	/* The duration may be 0, or has no upper bound. */
	CHECK(!between(100, 200, 150, 250, 0, 150));
	CHECK(!between(0, 200, 500, 600, 300, 600));
	CHECK(!between(100, 200, 500, UINT64_MAX, 300, UINT64_MAX - 100));
	/* The length of a tick is unknown. */
	in.config.has_time = false;
	CHECK(!between(100, 110, 300, 310, 190, 210));
	end();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "the trace has times with a known error", by_the_trace },
		{ "records bound the times around them", by_records },
		{ "records that are not in order bound times", in_disorder },
		{ "the closer bound is used", by_both },
		{ "a range of times is shown if it is narrow enough", spans },
	};

	return KTAP_RUN(tests);
}
