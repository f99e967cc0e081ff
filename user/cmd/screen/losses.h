/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports on standard error what a capture did not record; nothing if there were no losses.
 */
#ifndef FARGS_CMD_SCREEN_LOSSES_H
#define FARGS_CMD_SCREEN_LOSSES_H

#include <stdint.h>
#include <stdio.h>

#include "capture/hooks.h"
#include "model/meta.h"
#include "uapi/fargs.h"

/* Returns the number of losses on a CPU. */
typedef uint64_t (*fargs_losses_fn)(const void *arg, unsigned int cpu);

/* Prints "CPU 0: 12, CPU 3: 1": the CPUs with losses. */
void fargs_losses_put_cpus(FILE *out, const struct fargs_meta *meta, fargs_losses_fn lost,
			   const void *arg);

/* Calls for which the ring had no room, excluding missed ones (missed.h). */
uint64_t fargs_losses_lost(const struct fargs_cpu_stats *cpu);

/* To be called after the stop: reports losses in @meta->event_stats. */
void fargs_losses_tell_events(const struct fargs_meta *meta);
/* To be called after the stop, with @meta->stats and @stats read from the module then. */
void fargs_losses_tell(const struct fargs_meta *meta, const struct fargs_stats *stats);

/* The same for Intel PT; also reports how much was recorded. */
void fargs_losses_tell_pt(const struct fargs_pt_outcome *pt);

#endif
