// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests conditions on durations of which only bounds are known: they hold only if they hold for
 * every duration between the bounds, and so do their negations.
 */
#include "model/decoder.h"
#include "pipeline/filter/filter.h"
#include "unit/ktap.h"

static struct fargs_meta meta;
static struct fargs_decoder *decoder;
static struct fargs_error_text err;

/* Does @condition hold for a call that took @least_ns to @most_ns? */
static int holds(const char *condition, uint64_t least_ns, uint64_t most_ns)
{
	const struct fargs_event_trace trace = {
		.word = "return", .has_returns = true, .has_bounds = true,
		.least_ns = least_ns, .most_ns = most_ns,
	};
	const struct fargs_event ev = { .kind = FARGS_KIND_RETURN, .trace = &trace };
	struct fargs_filter *f = fargs_filter_create(condition, &meta, &err);
	int ret = f ? fargs_filter_holds(f, decoder, &ev) : -1;

	fargs_filter_destroy(f);
	return ret;
}

static void comparisons(void)
{
	CHECK_INT(holds("$duration > 1us", 1001, 1999), 1);
	CHECK_INT(holds("$duration > 1us", 1000, 1999), 0);
	CHECK_INT(holds("$duration >= 1us", 1000, 1999), 1);
	CHECK_INT(holds("$duration < 2us", 1001, 1999), 1);
	CHECK_INT(holds("$duration < 2us", 1001, 2000), 0);
	CHECK_INT(holds("2us >= $duration", 1001, 2000), 1);
	CHECK_INT(holds("$duration == 1us", 1000, 2000), 0);
	CHECK_INT(holds("$duration == 1us", 1000, 1000), 1);
	CHECK_INT(holds("$duration != 1us", 1000, 2000), 0);
	CHECK_INT(holds("$duration != 1us", 1001, 2000), 1);
}

static void negations(void)
{
	CHECK_INT(holds("!($duration > 1us)", 900, 1000), 1);
	CHECK_INT(holds("!($duration > 1us)", 900, 1001), 0);
	CHECK_INT(holds("!($duration > 1us)", 1001, 1002), 0);
	CHECK_INT(holds("!($duration != 1us)", 1000, 1001), 0);
	CHECK_INT(holds("!($duration == 1us)", 1001, 1002), 1);
	CHECK_INT(holds("!!$duration", 1, 2), 1);
	CHECK_INT(holds("!!$duration", 0, 2), 0);
	CHECK_INT(holds("!$duration", 0, 2), 0);
	CHECK_INT(holds("!$duration", 0, 0), 1);
}

static void conjunctions(void)
{
	CHECK_INT(holds("$duration > 1us && $duration < 2us", 1001, 1999), 1);
	CHECK_INT(holds("$duration > 1us && $duration < 2us", 1001, 2001), 0);
	CHECK_INT(holds("$duration > 1us || $duration < 1us", 900, 1100), 0);
	CHECK_INT(holds("!($duration > 1us && $cpu == 0)", 1001, 1100), 0);
	CHECK_INT(holds("!($duration > 1us || $cpu == 1)", 900, 1000), 1);
	CHECK_INT(holds("!($duration > 1us || $cpu == 1)", 900, 1001), 0);
}

/* The bits of a duration are known only if the duration is. */
static void bits(void)
{
	CHECK_INT(holds("$duration & 1", 1001, 1001), 1);
	CHECK_INT(holds("$duration & 1", 1001, 1999), 0);
	CHECK_INT(holds("!($duration & 1)", 1000, 1998), 0);
	CHECK_INT(holds("($duration & 1) == 1", 1001, 1999), 0);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "comparisons", comparisons },
		{ "negations", negations },
		{ "conjunctions and disjunctions", conjunctions },
		{ "bits", bits },
	};
	int ret;

	fargs_meta_init(&meta);
	meta.info.nr_cpus = 2;
	meta.info.tsc_khz = 1000000;
	meta.is_bare = true;
	decoder = fargs_decoder_create(&meta, &err);
	if (!decoder)
		return 1;
	ret = KTAP_RUN(tests);
	fargs_decoder_destroy(decoder);
	fargs_meta_deinit(&meta);
	return ret;
}
