/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts raw TSC values to the time of the perf clock, in ns.
 *
 * While the kernel trusts the TSC, the perf clock is a function of it, and one line for all CPUs
 * runs through the narrowest sample of each round: times are in the order of their TSC, exactly.
 * If the kernel does not trust the TSC (tsc_stable), or from the first sample on that reports it
 * unstable (FARGS_CLOCK_UNSTABLE), each CPU has a line of its own through its own samples of all
 * rounds: its times are as exact as the samples are narrow. Samples of older modules never have
 * FARGS_CLOCK_UNSTABLE; for files with those, only tsc_stable is known.
 *
 * Times are interpolated linearly between two samples. Before the first and after the last one, a
 * tick is 1,000,000 / tsc_khz ns. A CPU without samples uses the line of the nearest CPU below it
 * that has any, else of the nearest above.
 */
#ifndef FARGS_MODEL_CLOCK_H
#define FARGS_MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"

struct fargs_clockline;

/* Copies all it needs from @meta. NULL: no memory, or neither the TSC's rate nor a sample. */
struct fargs_clockline *fargs_clockline_create(const struct fargs_meta *meta,
					       struct fargs_error_text *err);
void fargs_clockline_destroy(struct fargs_clockline *cl);

/* Adds the rounds of @meta->clocks that are new since the last call. 0 or -ENOMEM. */
int fargs_clockline_update(struct fargs_clockline *cl, const struct fargs_meta *meta);
/*
 * Adds a round of a live session that is not in meta. Since a live session has no end, only the
 * last one to two thousand rounds are kept. 0 or -ENOMEM.
 */
int fargs_clockline_add(struct fargs_clockline *cl, const struct fargs_clock_sample *samples);

/* Perf clock of @cpu at @tsc, in ns; 0 for times before the clock's start. */
uint64_t fargs_clockline_ns(struct fargs_clockline *cl, unsigned int cpu, uint64_t tsc);

/*
 * Time in ns up to which later rounds change no conversion: the time of the last round, or
 * UINT64_MAX while the kernel trusts the TSC, whose rate is known well enough.
 */
uint64_t fargs_clockline_settled(const struct fargs_clockline *cl);

/* Does the kernel trust the TSC, as far as is known? */
bool fargs_clockline_is_tsc(const struct fargs_clockline *cl);

/*
 * By how many ns the times of two CPUs can be wrong relative to each other, within the rounds:
 * the middle of a sample is off by at most half its width, on each of the CPUs, and interpolation
 * adds nothing as long as TSC and clock run evenly.
 */
uint64_t fargs_clockline_error_ns(const struct fargs_clockline *cl);

#endif
