/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Raw TSC to the time of the perf clock, in ns.
 *
 * While the kernel trusts the TSC, the perf clock is one function of it, and there is one
 * line for all CPUs, through the narrowest sample of each round: their times are in the
 * order of their TSC, exactly. Where it does not (tsc_stable), and with the first sample
 * that says that it does not any more (FARGS_CLOCK_UNSTABLE), each CPU has a line of its
 * own through its own samples, of all rounds: their times are as exact as the samples are
 * narrow. Older samples never say so; of their files, tsc_stable alone tells.
 *
 * Between two samples the line is straight; before the first and behind the
 * last, 1,000,000 / tsc_khz ns make a tick. A CPU without a sample takes the
 * line of the nearest CPU below it that has one, else above.
 */
#ifndef FARGS_DECODE_CLOCK_H
#define FARGS_DECODE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/meta.h"
#include "base/error.h"

struct fargs_clockline;

/* Copies what it needs of @meta. NULL: no memory, or no rate and no sample at all. */
struct fargs_clockline *fargs_clockline_create(const struct fargs_meta *meta,
					       struct fargs_error_text *err);
void fargs_clockline_destroy(struct fargs_clockline *cl);

/* Takes in rounds of @meta->clocks that were added since. 0 or -ENOMEM. */
int fargs_clockline_update(struct fargs_clockline *cl, const struct fargs_meta *meta);
/*
 * One more round of a live session, that is not in meta: of such as these, only the last
 * thousand or two are kept, since there is no end to them. 0 or -ENOMEM.
 */
int fargs_clockline_add(struct fargs_clockline *cl, const struct fargs_clock_sample *samples);

/* The perf clock of @cpu at @tsc; 0 for what would be before it began. */
uint64_t fargs_clockline_ns(struct fargs_clockline *cl, unsigned int cpu, uint64_t tsc);

/*
 * Until when rounds that come later will not change anything: to the last one, unless
 * the kernel trusts the TSC, whose rate then is known well enough; UINT64_MAX.
 */
uint64_t fargs_clockline_settled(const struct fargs_clockline *cl);

/* Does the kernel trust the TSC, as far as is known? */
bool fargs_clockline_is_tsc(const struct fargs_clockline *cl);

/*
 * By how much times of two CPUs can contradict each other, within the rounds: the middle of
 * a sample's width is off by half of that at most, on each of them, and a straight line between
 * two samples by no more than one of them, as long as TSC and clock run evenly.
 */
uint64_t fargs_clockline_error_ns(const struct fargs_clockline *cl);

#endif
