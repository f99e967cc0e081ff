/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Raw TSC to the time of the perf clock, in ns.
 *
 * Each CPU has its own line through its own samples, also where the TSC is
 * stable: the perf clock is what perf and ftrace print, it is a clock per CPU,
 * and a CPU's own samples meet it whether the kernel trusts its TSC or not.
 * Between two samples the line is straight; before the first and behind the
 * last, 1,000,000 / tsc_khz ns make a tick. A CPU without a sample takes the
 * line of the nearest CPU below it that has one, else above.
 */
#ifndef FARGS_DECODE_CLOCK_H
#define FARGS_DECODE_CLOCK_H

#include <stdint.h>

#include "decode/meta.h"
#include "util/error.h"

struct fargs_clockline;

/* Copies what it needs of @meta. NULL: no memory, or no rate and no sample at all. */
struct fargs_clockline *fargs_clockline_create(const struct fargs_meta *meta,
					       struct fargs_error_text *err);
void fargs_clockline_destroy(struct fargs_clockline *cl);

/*
 * Takes in rounds of @meta->clocks that were added since, for a live session.
 * Returns 0 or -ENOMEM.
 */
int fargs_clockline_update(struct fargs_clockline *cl, const struct fargs_meta *meta);

/* The perf clock of @cpu at @tsc; 0 for what would be before it began. */
uint64_t fargs_clockline_ns(const struct fargs_clockline *cl, unsigned int cpu, uint64_t tsc);

#endif
