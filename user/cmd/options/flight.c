// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/flight.h"

#include <errno.h>

#include "base/size.h"
#include "base/duration.h"

int fargs_flight_options_set(struct fargs_flight_options *o, const char *value,
			     struct fargs_error_text *err)
{
	int ret;

	o->is_on = true;
	if (!value)
		return 0;
	ret = fargs_size_parse(value, &o->ring_bytes, err);
	if (!ret && !o->ring_bytes)
		return fargs_fail(err, EINVAL, "a buffer of 0 is impossible: write a size like 4M");
	return ret;
}

int fargs_flight_options_set_after(struct fargs_flight_options *o, const char *value,
				   struct fargs_error_text *err)
{
	return fargs_duration_parse(value, &o->after_ns, err);
}

int fargs_flight_options_set_count(struct fargs_flight_options *o, const char *value,
				   struct fargs_error_text *err)
{
	uint64_t nr;

	if (fargs_size_parse(value, &nr, err) || !nr || nr > UINT32_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not a number of triggers", value);
	o->count = nr;
	return 0;
}

int fargs_flight_options_finish(const struct fargs_flight_options *o,
				struct fargs_error_text *err)
{
	if (!o->is_on && (o->after_ns || o->count || o->is_split))
		return fargs_fail(err, EINVAL, "--after, --count and --split are for --flight");
	return 0;
}
