// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/live.h"

#include <errno.h>

#include "base/duration.h"
#include "base/size.h"
#include "sink/summary/summary.h"

#define INTERVAL_MIN_NS	100000000ull

static int take_colour(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_live_options *o = to;

	return fargs_colour_parse(&o->colour, value, err);
}

static int take_count(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_live_options *o = to;

	if (fargs_size_parse(value, &o->count, err) || !o->count)
		return fargs_fail(err, EINVAL, "'%s' is not a number of events", value);
	return 0;
}

#define FILTER_OPTION \
	{ 0, "display-filter", "EXPR", "show only events for which this condition holds, as " \
	  "fargs report --filter does", \
	  FARGS_OPTION_KEEPS(struct fargs_live_options, display_filter) }

const struct fargs_option fargs_live_options[] = {
	{ 0, "count", "N", "end after N events", .take = take_count },
	{ 0, "json", NULL, "print a JSON object per line (fargs-json(5))",
	  FARGS_OPTION_SETS(struct fargs_live_options, is_json) },
	{ 0, "fields", "EXPR,...", "print only these values, separated by tabs",
	  FARGS_OPTION_KEEPS(struct fargs_live_options, fields) },
	FILTER_OPTION,
	{ 0, "color", "WHEN", FARGS_COLOUR_HELP, FARGS_OPTION_OPTIONAL,
	  .offer = FARGS_OFFER_WORDS, .words = FARGS_COLOUR_WORDS, .take = take_colour },
	FARGS_OPTION_END
};

static int take_interval(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_live_options *o = to;
	int ret = fargs_duration_parse(value, &o->interval_ns, err);

	if (ret)
		return ret;
	if (o->interval_ns < INTERVAL_MIN_NS)
		return fargs_fail(err, EINVAL, "the interval is too short: give 100ms or more");
	return 0;
}

const struct fargs_option fargs_top_options[] = {
	{ 'b', "batch", NULL, "print screens as text, one after the other, for files and pipes",
	  FARGS_OPTION_SETS(struct fargs_live_options, is_batch) },
	{ 0, "count", "N", "end after N screens", .take = take_count },
	FILTER_OPTION,
	{ 0, "interval", "TIME", "time between screens (default 2s)", .take = take_interval },
	{ 0, "prometheus", "FILE", "also write the counts as metrics, for node_exporter's textfile "
	  "collector", FARGS_OPTION_KEEPS(struct fargs_live_options, prometheus) },
	{ 0, "sort", "COLUMN", "sort by count (default), name, errors, bytes, total, mean, p50, "
	  "p90, p99 or max", .offer = FARGS_OFFER_WORDS, .words = fargs_summary_order_words,
	  FARGS_OPTION_KEEPS(struct fargs_live_options, sort) },
	{ 0, "top", "EXPRESSION", "show the most frequent value of EXPRESSION, instead of that of "
	  "any argument",
	  FARGS_OPTION_KEEPS(struct fargs_live_options, top) },
	FARGS_OPTION_END
};

bool fargs_live_options_has_colour(const struct fargs_live_options *o, int fd)
{
	return !o->is_json && fargs_colour_is_wanted(o->colour, fd);
}
