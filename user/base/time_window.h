/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ranges of time on the perf clock, in the format of times that fargs report prints: --time
 * FROM,TO. The syntax is the same as for
 * perf script --time.
 */
#ifndef FARGS_BASE_TIME_WINDOW_H
#define FARGS_BASE_TIME_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_time_range {
	uint64_t from_ns;
	uint64_t to_ns;		/* last time in the range */
};

/* A range from and to a part of a recording: 0 is its begin, 1 its end. */
struct fargs_time_share {
	double from, to;
};

/* Initialize with zeroes: all times. */
struct fargs_time_window {
	struct fargs_time_range *ranges;	/* sorted, disjoint */
	size_t nr;				/* 0: all times */
	/* Percentages, until fargs_time_window_resolve() turns them into ranges. */
	struct fargs_time_share *shares;
	size_t nr_shares;
};

/*
 * Parses one of these; a range that was in @w before is dropped:
 *
 *	FROM,TO [FROM,TO]...		seconds, with up to nine decimals; either may be missing
 *	A%-B%[,C%-D%]...		parts of the recording
 *	A%/N[,B%/M]...			its N-th part of A percent; A% alone is A%/1
 *
 * A time that was printed with six decimals may have been rounded, as by fargs report, or
 * truncated. A range includes events printed as FROM or TO in both cases: if FROM has six decimals,
 * it begins half a microsecond earlier; if TO has at most six decimals, it includes the whole
 * microsecond that begins at TO. If TO has more decimals, it includes the whole unit of the last
 * decimal.
 *
 * Returns 0, or -EINVAL or -ENOMEM with the reason in @err. Call fargs_time_window_deinit() in
 * either case.
 */
int fargs_time_window_parse(struct fargs_time_window *w, const char *text,
			    struct fargs_error_text *err);
void fargs_time_window_deinit(struct fargs_time_window *w);
/* Initializes *@to as a copy of @from. Returns 0 or -ENOMEM. */
int fargs_time_window_copy(struct fargs_time_window *to, const struct fargs_time_window *from);

/*
 * Turns percentages into ranges, for a recording from @first_ns to @last_ns. The end of a part
 * belongs to the part after it. Returns 0 or -ENOMEM.
 */
int fargs_time_window_resolve(struct fargs_time_window *w, uint64_t first_ns, uint64_t last_ns);

static inline bool fargs_time_window_is_all(const struct fargs_time_window *w)
{
	return !w->nr && !w->nr_shares;
}

/* Is a time from @first_ns to @last_ns in the window? */
static inline bool fargs_time_window_overlaps(const struct fargs_time_window *w,
					      uint64_t first_ns, uint64_t last_ns)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		if (last_ns >= w->ranges[i].from_ns && first_ns <= w->ranges[i].to_ns)
			return true;
	return fargs_time_window_is_all(w);
}

static inline bool fargs_time_window_has(const struct fargs_time_window *w, uint64_t ns)
{
	return fargs_time_window_overlaps(w, ns, ns);
}

/* Does the window end? */
static inline bool fargs_time_window_ends(const struct fargs_time_window *w)
{
	return w->nr_shares || (w->nr && w->ranges[w->nr - 1].to_ns != UINT64_MAX);
}

#endif
