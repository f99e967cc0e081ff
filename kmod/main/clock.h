/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_MAIN_CLOCK_H
#define FARGS_KMOD_MAIN_CLOCK_H

#include "uapi/fargs.h"

/**
 * fargs_clock_sample_all() - read the clocks of all CPUs
 * @samples: filled in, one for each CPU; is_valid is 0 for CPUs that are offline
 * @nr_cpus: number of samples
 *
 * Clocks do not go backwards between successive calls by the same caller.
 *
 * Context: Process context. May sleep.
 */
void fargs_clock_sample_all(struct fargs_clock_sample *samples, u32 nr_cpus);

#endif
