/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A time range on the perf clock, in the format of times that fargs report prints: --time FROM,TO.
 */
#ifndef FARGS_BASE_TIME_WINDOW_H
#define FARGS_BASE_TIME_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_time_window {
	uint64_t from_ns;
	uint64_t to_ns;		/* last time in the window */
};

/* A window that includes all times. */
#define FARGS_TIME_WINDOW_ALL	{ 0, UINT64_MAX }

/*
 * Parses "FROM,TO" in seconds, with up to nine decimals; either may be missing. A time that was
 * printed with six decimals may have been rounded, as by fargs report, or truncated. The window
 * includes events printed as FROM or TO in both cases: if FROM has six decimals, the window begins
 * half a microsecond earlier; if TO has at most six decimals, the window includes the whole
 * microsecond that begins at TO. If TO has more decimals, the window includes the whole unit of the
 * last decimal.
 * Returns 0, or -EINVAL with the reason in @err.
 */
int fargs_time_window_parse(struct fargs_time_window *w, const char *text,
			    struct fargs_error_text *err);

static inline bool fargs_time_window_has(const struct fargs_time_window *w, uint64_t ns)
{
	return ns >= w->from_ns && ns <= w->to_ns;
}

#endif
