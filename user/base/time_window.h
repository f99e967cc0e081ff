/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A span of time on the perf clock, as report prints it: --time FROM,TO.
 */
#ifndef FARGS_TIME_WINDOW_H
#define FARGS_TIME_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_time_window {
	uint64_t from_ns;
	uint64_t to_ns;		/* that one included */
};

/* From the beginning to the end. */
#define FARGS_TIME_WINDOW_ALL	{ 0, UINT64_MAX }

/*
 * "FROM,TO" in seconds with up to nine digits behind the point, either of which may be
 * missing; -EINVAL with the reason in @err. TO means its whole microsecond, as times are
 * printed to that.
 */
int fargs_time_window_parse(struct fargs_time_window *w, const char *text,
			    struct fargs_error_text *err);

static inline bool fargs_time_window_has(const struct fargs_time_window *w, uint64_t ns)
{
	return ns >= w->from_ns && ns <= w->to_ns;
}

#endif
