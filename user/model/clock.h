/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts raw TSC values to the time of the perf clock, in ns.
 *
 * While the kernel trusts the TSC, the perf clock is a function of it: one line for all CPUs passes
 * through the narrowest sample of each round, and times have exactly the order of their TSCs. If
 * the kernel does not trust the TSC (tsc_stable is 0, or a sample has FARGS_CLOCK_UNSTABLE), each
 * CPU has its own line through its own samples of all rounds, and the width of these samples limits
 * the accuracy of its times. Older modules do not set FARGS_CLOCK_UNSTABLE; in their files, only
 * tsc_stable shows whether the kernel trusts the TSC.
 *
 * Times are interpolated linearly between two samples. Before the first and after the last sample,
 * a tick is 1,000,000 / tsc_khz ns. A CPU without samples uses the line of the next lower CPU with
 * samples; if there is none, of the lowest CPU with samples.
 */
#ifndef FARGS_MODEL_CLOCK_H
#define FARGS_MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"

struct fargs_clockline;

/*
 * Copies all it needs from @meta. Returns NULL with @err if there is no memory, or if @meta lacks
 * the number of CPUs or the TSC's rate. A recording of only events (is_bare) needs no rate.
 */
struct fargs_clockline *fargs_clockline_create(const struct fargs_meta *meta,
					       struct fargs_error_text *err);
void fargs_clockline_destroy(struct fargs_clockline *cl);

/* Adds the rounds of @meta->clocks that are new since the last call. Returns 0 or -ENOMEM. */
int fargs_clockline_update(struct fargs_clockline *cl, const struct fargs_meta *meta);
/*
 * Adds a round of clock samples in a live session, which does not store rounds in meta. A live
 * session can run indefinitely, so old rounds are dropped; at least the last 1024 are kept. Returns
 * 0 or -ENOMEM.
 */
int fargs_clockline_add(struct fargs_clockline *cl, const struct fargs_clock_sample *samples);

/* Returns the perf clock of @cpu at @tsc, in ns; 0 for times before the clock's start. */
uint64_t fargs_clockline_ns(struct fargs_clockline *cl, unsigned int cpu, uint64_t tsc);

/*
 * Returns the time in ns up to which no conversion needs to wait for more rounds: the time of the
 * last round, or UINT64_MAX while the kernel trusts the TSC, because extrapolating with the TSC's
 * rate is exact enough.
 */
uint64_t fargs_clockline_settled(const struct fargs_clockline *cl);

/* Does the kernel trust the TSC, according to tsc_stable and the samples so far? */
bool fargs_clockline_is_tsc(const struct fargs_clockline *cl);

/*
 * Returns the maximum error, in ns, of the difference between the times of two CPUs, between the
 * first and the last round. On each CPU, the middle of a sample is off by at most half the sample's
 * width. Interpolation adds no error if TSC and perf clock advance evenly.
 */
uint64_t fargs_clockline_error_ns(const struct fargs_clockline *cl);

#endif
