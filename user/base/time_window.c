// SPDX-License-Identifier: GPL-2.0-only
#include "base/time_window.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

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

/* Parses "FROM,TO" up to the end of the text or a blank. Returns the position there, or NULL. */
static const char *take_range(const char *s, struct fargs_time_range *range)
{
	uint64_t unit;

	*range = (struct fargs_time_range){ 0, UINT64_MAX };
	if (*s != ',') {
		s = take_seconds(s, &range->from_ns, &unit);
		/*
		 * fargs report rounds times to six decimals: an event printed with this time may be
		 * up to half a microsecond earlier.
		 */
		if (s && unit == PRINTED && range->from_ns)
			range->from_ns -= PRINTED / 2;
	}
	if (!s || *s != ',')
		return NULL;
	s++;
	if (*s && *s != ' ') {
		s = take_seconds(s, &range->to_ns, &unit);
		/*
		 * The range includes the whole microsecond of TO or, if TO has more than six
		 * decimals, the whole unit of the last decimal.
		 */
		if (s)
			range->to_ns += (unit < PRINTED ? unit : PRINTED) - 1;
	}
	return s && (!*s || *s == ' ') ? s : NULL;
}

static int add_range(struct fargs_time_window *w, const struct fargs_time_range *range)
{
	struct fargs_time_range *to = fargs_array_add(w->ranges, w->nr);

	if (!to)
		return -ENOMEM;
	*to = *range;
	return 0;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct fargs_time_range *x = a, *y = b;

	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Sorts the ranges, and joins those that overlap. */
static void sort_ranges(struct fargs_time_window *w)
{
	size_t i, nr = 0;

	if (w->nr)
		qsort(w->ranges, w->nr, sizeof(*w->ranges), compare_ranges);
	for (i = 0; i < w->nr; i++) {
		if (!nr || w->ranges[i].from_ns > w->ranges[nr - 1].to_ns)
			w->ranges[nr++] = w->ranges[i];
		else if (w->ranges[i].to_ns > w->ranges[nr - 1].to_ns)
			w->ranges[nr - 1].to_ns = w->ranges[i].to_ns;
	}
	w->nr = nr;
}

static int parse_ranges(struct fargs_time_window *w, const char *text,
			struct fargs_error_text *err)
{
	struct fargs_time_range range;
	const char *s = text;

	do {
		s += strspn(s, " ");
		s = take_range(s, &range);
		if (!s)
			return fargs_fail(err, EINVAL, "'%s' is not a range of times in seconds: "
					  "write it like 12.5,13.25, or 10%%-20%%", text);
		if (range.from_ns > range.to_ns)
			return fargs_fail(err, EINVAL, "'%s' ends before it starts", text);
		if (add_range(w, &range))
			return fargs_fail(err, ENOMEM, "out of memory");
	} while (s[strspn(s, " ")]);
	sort_ranges(w);
	return 0;
}

/* Parses "A%" as a part of 1. Returns the position after it, or NULL. */
static const char *take_percent(const char *s, double *share)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return NULL;
	*share = strtod(s, &end) / 100;
	return *end == '%' && *share <= 1 ? end + 1 : NULL;
}

/* Parses "A%-B%", "A%/N" or "A%", up to the end of the text or a comma. */
static const char *take_share(const char *s, struct fargs_time_share *share)
{
	unsigned long nr = 1;
	double size;
	char *end;

	s = take_percent(s, &size);
	if (!s)
		return NULL;
	if (*s == '-') {
		share->from = size;
		s = take_percent(s + 1, &share->to);
	} else {
		if (*s == '/') {
			if (!isdigit((unsigned char)s[1]))
				return NULL;
			nr = strtoul(s + 1, &end, 10);
			s = end;
		}
		share->from = size * (double)(nr - 1);
		share->to = size * (double)nr;
		/* 33.3%/3 and the like may exceed 1 by rounding. */
		if (!nr || share->to > 1.000000001)
			return NULL;
	}
	return s && (!*s || *s == ',') && share->from < share->to ? s : NULL;
}

static int parse_shares(struct fargs_time_window *w, const char *text,
			struct fargs_error_text *err)
{
	struct fargs_time_share share, *to;
	const char *s = text;

	for (;;) {
		s = take_share(s, &share);
		if (!s)
			return fargs_fail(err, EINVAL, "'%s' is not a part of a recording: write "
					  "it like 10%%-20%%, or 10%%/2 for the second tenth",
					  text);
		to = fargs_array_add(w->shares, w->nr_shares);
		if (!to)
			return fargs_fail(err, ENOMEM, "out of memory");
		*to = share;
		if (!*s)
			return 0;
		s++;
	}
}

int fargs_time_window_parse(struct fargs_time_window *w, const char *text,
			    struct fargs_error_text *err)
{
	fargs_time_window_deinit(w);
	return strchr(text, '%') ? parse_shares(w, text, err) : parse_ranges(w, text, err);
}

void fargs_time_window_deinit(struct fargs_time_window *w)
{
	free(w->ranges);
	free(w->shares);
	*w = (struct fargs_time_window){ };
}

int fargs_time_window_copy(struct fargs_time_window *to, const struct fargs_time_window *from)
{
	struct fargs_time_share *share;
	size_t i;

	*to = (struct fargs_time_window){ };
	for (i = 0; i < from->nr; i++)
		if (add_range(to, &from->ranges[i]))
			return -ENOMEM;
	for (i = 0; i < from->nr_shares; i++) {
		share = fargs_array_add(to->shares, to->nr_shares);
		if (!share)
			return -ENOMEM;
		*share = from->shares[i];
	}
	return 0;
}

/* Returns the time at part @share of a recording. */
static uint64_t at_share(double share, uint64_t first_ns, uint64_t last_ns)
{
	double total = (double)(last_ns - first_ns), part = share * total + 0.5;

	/* A double may be above the total, which may be up to the maximum of its type. */
	return part >= total ? last_ns : first_ns + (uint64_t)part;
}

int fargs_time_window_resolve(struct fargs_time_window *w, uint64_t first_ns, uint64_t last_ns)
{
	struct fargs_time_range range;
	size_t i;

	for (i = 0; i < w->nr_shares; i++) {
		range.from_ns = at_share(w->shares[i].from, first_ns, last_ns);
		range.to_ns = at_share(w->shares[i].to, first_ns, last_ns);
		if (range.to_ns < last_ns && range.to_ns > range.from_ns)
			range.to_ns--;
		if (add_range(w, &range))
			return -ENOMEM;
	}
	free(w->shares);
	w->shares = NULL;
	w->nr_shares = 0;
	sort_ranges(w);
	return 0;
}
