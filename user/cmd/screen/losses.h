/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a capture has not recorded, told on standard error: nothing if there is
 * nothing to tell.
 */
#ifndef FARGS_LOSSES_H
#define FARGS_LOSSES_H

#include <stdint.h>
#include <stdio.h>

#include "model/meta.h"
#include "uapi/fargs.h"

/* How many were lost on a CPU. */
typedef uint64_t (*fargs_losses_fn)(const void *arg, unsigned int cpu);

/* "CPU 0: 12, CPU 3: 1": those of @meta's CPUs where some were. */
void fargs_losses_put_cpus(FILE *out, const struct fargs_meta *meta, fargs_losses_fn lost,
			   const void *arg);

/* Those for which the ring had no room: without those that were missed (missed.h). */
uint64_t fargs_losses_lost(const struct fargs_cpu_stats *cpu);

/* After the stop, by @meta->event_stats. */
void fargs_losses_tell_events(const struct fargs_meta *meta);
/* After the stop: @meta->stats and @stats are those that the module gave then. */
void fargs_losses_tell(const struct fargs_meta *meta, const struct fargs_stats *stats);

#endif
