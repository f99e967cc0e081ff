// SPDX-License-Identifier: GPL-2.0-only
#include "base/time_window.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>

#define DIGITS	9
#define SECONDS	1000000000ull
#define PRINTED	1000ull		/* ns per microsecond: fargs report prints times in microseconds */

/*
 * Parses a number of seconds with an optional fraction. Sets *@ns to the time, and *@unit to the
 * weight of its last digit in ns. Returns the position after the number, or NULL if it is invalid.
 */
static const char *take_seconds(const char *s, uint64_t *ns, uint64_t *unit)
{
	const char *start = s;
	uint64_t seconds = 0;

	for (; isdigit((unsigned char)*s); s++) {
		/* The time in ns would not fit into 64 bits. */
		if (seconds > UINT64_MAX / SECONDS / 10 - 1)
			return NULL;
		seconds = 10 * seconds + *s - '0';
	}
	if (s == start)
		return NULL;
	*ns = seconds * SECONDS;
	*unit = SECONDS;
	if (*s != '.')
		return s;
	for (s++; isdigit((unsigned char)*s); s++) {
		*unit /= 10;
		if (!*unit)
			return NULL;
		*ns += (*s - '0') * *unit;
	}
	return s;
}

int fargs_time_window_parse(struct fargs_time_window *w, const char *text,
			    struct fargs_error_text *err)
{
	const char *s = text;
	uint64_t unit;

	*w = (struct fargs_time_window)FARGS_TIME_WINDOW_ALL;
	if (*s != ',') {
		s = take_seconds(s, &w->from_ns, &unit);
		/*
		 * fargs report rounds times to six decimals: an event printed with this time may be
		 * up to half a microsecond earlier.
		 */
		if (s && unit == PRINTED && w->from_ns)
			w->from_ns -= PRINTED / 2;
	}
	if (!s || *s != ',')
		goto err_text;
	if (*++s) {
		s = take_seconds(s, &w->to_ns, &unit);
		if (!s || *s)
			goto err_text;
		/*
		 * The window includes the whole microsecond of TO or, if TO has more than six
		 * decimals, the whole unit of the last decimal.
		 */
		w->to_ns += (unit < PRINTED ? unit : PRINTED) - 1;
	}
	if (w->from_ns > w->to_ns)
		return fargs_fail(err, EINVAL, "'%s' ends before it starts", text);
	return 0;

err_text:
	return fargs_fail(err, EINVAL, "'%s' is not a range of times in seconds: write it like "
			  "12.5,13.25", text);
}
