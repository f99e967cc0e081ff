// SPDX-License-Identifier: GPL-2.0-only
/* Tests that a time copied from the output selects every event that was printed with it. */
#include <errno.h>

#include "base/time_window.h"
#include "unit/ktap.h"

static bool selects(const char *text, uint64_t ns)
{
	struct fargs_error_text err;
	struct fargs_time_window w;

	return !fargs_time_window_parse(&w, text, &err) && fargs_time_window_has(&w, ns);
}

static bool is_refused(const char *text)
{
	struct fargs_error_text err;
	struct fargs_time_window w;

	return fargs_time_window_parse(&w, text, &err) == -EINVAL && err.text[0];
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
}

static const struct ktap_test tests[] = {
	{ "a printed time selects the events with this time", printed_times },
	{ "times may have other precisions", other_precisions },
	{ "invalid windows are refused", invalid_windows },
};

int main(void)
{
	return KTAP_RUN(tests);
}
