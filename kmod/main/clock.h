/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_CLOCK_H
#define FARGS_CLOCK_H

#include "uapi/fargs.h"

/* Whether the perf clock follows the TSC, alike on all CPUs. */
bool fargs_clock_is_tsc(void);

/*
 * Reads the clocks on each online CPU below @nr_cpus into @samples[cpu]; of the
 * others is_valid is 0. Process context; may sleep. What one caller is given is in order
 * with what it was given before.
 */
void fargs_clock_sample_all(struct fargs_clock_sample *samples, u32 nr_cpus);

#endif
