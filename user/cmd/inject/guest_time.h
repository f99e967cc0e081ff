/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times of a guest as times of its host: from the guest's perf clock to its TSC, to the host's TSC,
 * to the host's perf clock.
 */
#ifndef FARGS_CMD_INJECT_GUEST_TIME_H
#define FARGS_CMD_INJECT_GUEST_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "source/perf_data/format.h"

/* Initialize with zeroes: no clock is converted. */
struct fargs_guest_clock {
	bool is_known;
	uint64_t shift, mult, zero;
	bool is_short;			/* the TSC has fewer bits: those of @mask, after @cycles */
	uint64_t cycles, mask;
};

struct fargs_guest_time {
	struct fargs_guest_clock guest, host;
	uint64_t offset;		/* the guest's TSC - the host's TSC * @scale */

	/* How much faster the guest's TSC is. */
	long double scale;
};

/* Takes a TIME_CONV record of perf.data. */
void fargs_guest_clock_take(struct fargs_guest_clock *c, const struct perf_event_header *rec);

/* Returns the host's time at the guest's time @ns. 0, which is no time, stays. */
uint64_t fargs_guest_time_convert(const struct fargs_guest_time *t, uint64_t ns);

#endif
