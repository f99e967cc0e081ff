// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/flight.h"

#include <errno.h>

#include "base/duration.h"
#include "base/size.h"

static int take_flight(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_flight_request *o = to;

	o->is_on = true;
	return value ? fargs_size_parse_pair(value, 1, &o->ring_bytes, &o->snapshot_bytes, err) : 0;
}

static int take_after(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_flight_request *o = to;

	return fargs_duration_parse(value, &o->after_ns, err);
}

static int take_count(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_flight_request *o = to;
	uint64_t nr;

	if (fargs_size_parse(value, &nr, err) || !nr || nr > UINT32_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not a number of triggers", value);
	o->count = nr;
	return 0;
}

const struct fargs_option fargs_flight_options[] = {
	{ 0, "flight", "[SIZE][,SIZE]", "write nothing until a --trigger, SIGUSR2, Ctrl-C or the "
	  "end of COMMAND, then the last calls that fit into buffers of SIZE, and the last SIZE "
	  "of Intel PT",
	  FARGS_OPTION_OPTIONAL, .take = take_flight },
	{ 0, "after", "TIME", "with --flight: also write the calls made within TIME after a "
	  "--trigger or SIGUSR2",
	  .take = take_after },
	{ 0, "count", "N", "with --flight: end after N triggers (default 1)",
	  .take = take_count },
	{ 0, "split", NULL, "with --flight: write a file for each trigger, FILE.1, FILE.2 and so "
	  "on, until --count is reached",
	  FARGS_OPTION_SETS(struct fargs_flight_request, is_split) },
	FARGS_OPTION_END
};

int fargs_flight_options_finish(const struct fargs_flight_request *o,
				struct fargs_error_text *err)
{
	if (!o->is_on && (o->after_ns || o->count || o->is_split))
		return fargs_fail(err, EINVAL, "'--after', '--count' and '--split' are only for "
				  "'--flight'");
	return 0;
}
