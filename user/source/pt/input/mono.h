/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts times of CLOCK_MONOTONIC to the perf clock, by the samples of both in a recording. The
 * kernel adjusts the speed of CLOCK_MONOTONIC, so the difference between the two changes.
 */
#ifndef FARGS_SOURCE_PT_INPUT_MONO_H
#define FARGS_SOURCE_PT_INPUT_MONO_H

#include <stdbool.h>

#include "source/pt/input/input.h"

/* Adds a sample. Returns 0 or -ENOMEM. */
int fargs_pt_mono_add(struct fargs_pt_input *in, uint64_t mono_ns, uint64_t perf_ns);
/* To be called after the last sample is added. */
void fargs_pt_mono_sort(struct fargs_pt_input *in);

/*
 * Sets *@perf_ns to the time on the perf clock of @mono_ns: between two samples by the line through
 * them; before the first and after the last by the difference at that sample. Returns false if
 * there are no samples.
 */
bool fargs_pt_mono_convert(const struct fargs_pt_input *in, uint64_t mono_ns, uint64_t *perf_ns);

#endif
