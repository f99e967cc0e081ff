// SPDX-License-Identifier: GPL-2.0-only
/* Tests that a time copied from the output selects every event that was printed with it. */
#include <errno.h>

#include "base/time_window.h"
#include "unit/ktap.h"

static bool selects(const char *text, uint64_t ns)
{
	struct fargs_error_text err;
	struct fargs_time_window w = { };
	bool is = !fargs_time_window_parse(&w, text, &err) && fargs_time_window_has(&w, ns);

	fargs_time_window_deinit(&w);
	return is;
}

static bool is_refused(const char *text)
{
	struct fargs_error_text err = { "" };
	struct fargs_time_window w = { };
	int ret = fargs_time_window_parse(&w, text, &err);

	fargs_time_window_deinit(&w);
	return ret == -EINVAL && err.text[0];
}

/*
 * Times of records are rounded to the nearest microsecond, as in ftrace; times of perf.data are
 * truncated.
 */
static void printed_times(void)
{
	CHECK(selects("1.000002,", 1000001500) && !selects("1.000002,", 1000001499));
	CHECK(selects(",1.000002", 1000002499) && selects(",1.000002", 1000002999) &&
	      !selects(",1.000002", 1000003000));
	CHECK(selects("1.000002,1.000002", 1000001500) &&
	      selects("1.000002,1.000002", 1000002999));
	CHECK(selects("0.000000,", 0));
}

static void other_precisions(void)
{
	CHECK(!selects("1.5,", 1499999999) && selects("1.5,", 1500000000));
	CHECK(!selects("1.000002000,", 1000001999) && selects("1.000002000,", 1000002000));
	CHECK(selects(",1.0000020", 1000002099) && !selects(",1.0000020", 1000002100));
	CHECK(selects(",2", 2000000999) && !selects(",2", 2000001000));
	CHECK(selects(",", 0) && selects(",", UINT64_MAX));
}

static void invalid_windows(void)
{
	CHECK(is_refused("1.5"));
	CHECK(is_refused("2,1"));
	CHECK(is_refused("1.0000000001,"));
	CHECK(is_refused("18446744074,"));
	CHECK(is_refused("") && is_refused("1,2,3") && is_refused("1,2x") && is_refused("1,2 3"));
	CHECK(is_refused("101%") && is_refused("10%/11") && is_refused("10%/0"));
	CHECK(is_refused("20%-10%") && is_refused("10%-10%") && is_refused("10%-20"));
	CHECK(is_refused("10%,") && is_refused("-10%") && is_refused("10%/-1"));
	CHECK(is_refused("10%-20%-30%") && is_refused("nan%") && is_refused("1e-400%"));
}

/* Returns the ranges of @text, for a recording from 1000 ns to 2000 ns, as "from-to ...". */
static const char *ranges_of(const char *text)
{
	static char all[256];
	struct fargs_error_text err;
	struct fargs_time_window w = { };
	size_t i, n = 0;

	all[0] = '\0';
	CHECK_INT(fargs_time_window_parse(&w, text, &err), 0);
	CHECK_INT(fargs_time_window_resolve(&w, 1000, 2000), 0);
	for (i = 0; i < w.nr; i++)
		n += snprintf(all + n, sizeof(all) - n, "%s%llu-%llu", i ? " " : "",
			      (unsigned long long)w.ranges[i].from_ns,
			      (unsigned long long)w.ranges[i].to_ns);
	fargs_time_window_deinit(&w);
	return all;
}

static void several_ranges(void)
{
	CHECK(selects("1,2 4,5", 1500000000) && selects("1,2 4,5", 4500000000));
	CHECK(!selects("1,2 4,5", 3000000000) && !selects("1,2 4,5", 5100000000));
	CHECK(selects("4,5 1,2", 1500000000) && !selects("4,5 1,2", 3000000000));
	CHECK(selects("4, ,2", 1500000000) && selects("4, ,2", 5000000000));
	CHECK(selects(" 4,  ,2 ", 0) && !selects("4, ,2", 3000000000));
	CHECK_STR(ranges_of("0.0000020,0.0000030 0.0000025,0.0000040"), "2000-4099");
}

/* The ranges that perf computes, except that those that overlap are joined. */
static void percentages(void)
{
	CHECK_STR(ranges_of("10%-20%"), "1100-1199");
	CHECK_STR(ranges_of("0%-10%,30%-40%"), "1000-1099 1300-1399");
	CHECK_STR(ranges_of("90%-100%"), "1900-2000");
	CHECK_STR(ranges_of("10%/2"), "1100-1199");
	CHECK_STR(ranges_of("10%/1,10%/10"), "1000-1099 1900-2000");
	CHECK_STR(ranges_of("10%"), "1000-1099");
	CHECK_STR(ranges_of("12.5%/2"), "1125-1249");
	CHECK_STR(ranges_of("20%-60%,10%-30%"), "1100-1599");
	CHECK_STR(ranges_of("100%"), "1000-2000");
}

static void ends(void)
{
	struct fargs_error_text err;
	struct fargs_time_window w = { }, copy;

	CHECK(fargs_time_window_is_all(&w) && !fargs_time_window_ends(&w));
	CHECK_INT(fargs_time_window_parse(&w, "1,", &err), 0);
	CHECK(!fargs_time_window_is_all(&w) && !fargs_time_window_ends(&w));
	CHECK_INT(fargs_time_window_parse(&w, "1,2", &err), 0);
	CHECK(fargs_time_window_ends(&w));
	CHECK(fargs_time_window_overlaps(&w, 0, 1000000000));
	CHECK(fargs_time_window_overlaps(&w, 0, 5000000000));
	CHECK(!fargs_time_window_overlaps(&w, 0, 999999999));
	CHECK_INT(fargs_time_window_parse(&w, "10%", &err), 0);
	CHECK(!fargs_time_window_is_all(&w) && fargs_time_window_ends(&w));
	CHECK_INT(fargs_time_window_copy(&copy, &w), 0);
	CHECK_INT(fargs_time_window_resolve(&w, 0, 100), 0);
	CHECK_INT(fargs_time_window_resolve(&copy, 100, 200), 0);
	CHECK(fargs_time_window_has(&w, 9) && !fargs_time_window_has(&w, 10));
	CHECK(fargs_time_window_has(&copy, 109) && !fargs_time_window_has(&copy, 9));
	fargs_time_window_deinit(&copy);
	fargs_time_window_deinit(&w);
}

static const struct ktap_test tests[] = {
	{ "a printed time selects the events with this time", printed_times },
	{ "times may have other precisions", other_precisions },
	{ "several ranges select what is in any of them", several_ranges },
	{ "percentages are parts of the recording", percentages },
	{ "it is known whether a window is limited", ends },
	{ "invalid windows are refused", invalid_windows },
};

int main(void)
{
	return KTAP_RUN(tests);
}
