// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests metrics in Prometheus' text format, read line by line: counts, bounds of durations, labels,
 * and that no more than a fixed number of functions have metrics of their own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/event_record.h"
#include "sink/summary/prometheus.h"
#include "unit/ktap.h"

static struct fargs_summary s;
static struct fargs_buf text;

static struct fargs_summary_row *add(const char *name, uint8_t kind, uint64_t nr)
{
	struct fargs_summary_row *row = fargs_array_add(s.rows, s.nr);

	if (!row)
		abort();
	*row = (struct fargs_summary_row){ .name = strdup(name), .kind = kind, .nr = nr };
	return row;
}

static void put(void)
{
	fargs_buf_deinit(&text);
	text = (struct fargs_buf){ };
	REQUIRE(!fargs_prometheus_put(&text, &s, 1700000000));
	fargs_buf_add_char(&text, '\0');
	REQUIRE(!text.is_short);
}

static void end(void)
{
	fargs_buf_deinit(&text);
	text = (struct fargs_buf){ };
	fargs_summary_deinit(&s);
	fargs_summary_init(&s);
}

/* Returns the value of the line that begins with @series and a blank; "" if there is none. */
static const char *value_of(const char *series)
{
	static char value[64];
	const char *at = text.text;

	for (; at && *at; at = strchr(at, '\n'), at += !!at) {
		if (strncmp(at, series, strlen(series)) || at[strlen(series)] != ' ')
			continue;
		at += strlen(series) + 1;
		snprintf(value, sizeof(value), "%.*s", (int)strcspn(at, "\n"), at);
		return value;
	}
	return "";
}

static unsigned int count(const char *what)
{
	const char *at = text.text;
	unsigned int nr = 0;

	for (; (at = strstr(at, what)); at++)
		nr++;
	return nr;
}

static void has_counts(void)
{
	struct fargs_summary_row *row;

	add("vfs_read", FARGS_KIND_ENTRY, 12);
	row = add("ext4_sync_file [ext4]", FARGS_KIND_RETURN, 3);
	row->nr_errors = 1;
	/* 255 and 1,023 ns belong to the bounds of that name, 256 and 1,024 ns do not. */
	CHECK(!fargs_quantiles_add(&row->ns, 255));
	CHECK(!fargs_quantiles_add(&row->ns, 1024));
	CHECK(!fargs_quantiles_add(&row->ns, 20ull * 1000000000));
	add("fargs_tp_event:tick", FARGS_KIND_TPOINT, 5);
	add("sched:sched_switch", FARGS_KIND_EVENT, 7);
	s.nr_lost = 9;
	put();
	CHECK_STR(value_of("fargs_calls_total{function=\"vfs_read\"}"), "12");
	CHECK_STR(value_of("fargs_calls_total{function=\"ext4_sync_file\",module=\"ext4\"}"), "3");
	CHECK_STR(value_of("fargs_tracepoint_hits_total{tracepoint=\"fargs_tp_event:tick\"}"), "5");
	CHECK_STR(value_of("fargs_events_total{event=\"sched:sched_switch\"}"), "7");
	CHECK_STR(value_of("fargs_lost_total"), "9");
	CHECK_STR(value_of("fargs_start_time_seconds"), "1700000000");
	/* Whether a call failed is known only when it returned. */
	CHECK_STR(value_of("fargs_call_errors_total{function=\"vfs_read\"}"), "");
	CHECK_STR(value_of("fargs_call_errors_total{function=\"ext4_sync_file\",module=\"ext4\"}"),
		  "1");
#define BUCKET(le) value_of("fargs_call_duration_seconds_bucket{function=\"ext4_sync_file\"," \
			    "module=\"ext4\",le=\"" le "\"}")
	CHECK_STR(BUCKET("0.000000255"), "1");
	CHECK_STR(BUCKET("0.000001023"), "1");
	CHECK_STR(BUCKET("0.000004095"), "2");
	CHECK_STR(BUCKET("17.179869183"), "2");
	CHECK_STR(BUCKET("+Inf"), "3");
	CHECK_STR(value_of("fargs_call_duration_seconds_sum{function=\"ext4_sync_file\","
			   "module=\"ext4\"}"), "20.000001279");
	CHECK_STR(value_of("fargs_call_duration_seconds_count{function=\"ext4_sync_file\","
			   "module=\"ext4\"}"), "3");
	CHECK_INT(count("# TYPE "), 7);
	end();
}

static void has_no_empty_metric(void)
{
	put();
	CHECK_INT(count("# TYPE "), 2);
	CHECK_STR(value_of("fargs_lost_total"), "0");
	end();
}

static void escapes_labels(void)
{
	add("a\\b\"c\nd", FARGS_KIND_EVENT, 1);
	put();
	CHECK_STR(value_of("fargs_events_total{event=\"a\\\\b\\\"c\\nd\"}"), "1");
	end();
}

static void is_bounded(void)
{
	struct fargs_summary_row *row;
	char name[32];
	unsigned int i;

	for (i = 0; i < FARGS_PROMETHEUS_ROWS + 50; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		row = add(name, FARGS_KIND_ENTRY, i);
		row->nr_errors = i % 2;
		CHECK(!fargs_quantiles_add(&row->ns, i));
	}
	put();
	/* Row 0 has no calls, and so has no metric. */
	CHECK_INT(count("fargs_calls_total{"), FARGS_PROMETHEUS_ROWS);
	CHECK_STR(value_of("fargs_calls_total{function=\"f0\"}"), "");
	CHECK_STR(value_of("fargs_calls_total{function=\"f999\"}"), "999");
	CHECK_STR(value_of("fargs_calls_total{function=\"f1000\"}"), "");
	/* 1,000 to 1,049. */
	CHECK_STR(value_of("fargs_calls_total{function=\"(others)\"}"), "51225");
	CHECK_STR(value_of("fargs_call_errors_total{function=\"(others)\"}"), "25");
	CHECK_STR(value_of("fargs_call_duration_seconds_count{function=\"(others)\"}"), "50");
	CHECK_STR(value_of("fargs_call_duration_seconds_bucket{function=\"(others)\","
			   "le=\"0.000001023\"}"), "24");
	end();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "counts, errors and durations", has_counts },
		{ "a metric without series is left out", has_no_empty_metric },
		{ "labels are escaped", escapes_labels },
		{ "functions beyond a limit are summed up", is_bounded },
	};

	return KTAP_RUN(tests);
}
