/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports on standard error which events a capture lost; prints nothing if there were no losses.
 */
#ifndef FARGS_CMD_SCREEN_LOSSES_H
#define FARGS_CMD_SCREEN_LOSSES_H

#include <stdint.h>
#include <stdio.h>

#include "capture/hooks.h"
#include "model/meta.h"
#include "uapi/fargs.h"

/* Returns the number of losses on @cpu. */
typedef uint64_t (*fargs_losses_fn)(const void *arg, unsigned int cpu);

/* Prints the CPUs with losses: "CPU 0: 12, CPU 3: 1". */
void fargs_losses_put_cpus(FILE *out, const struct fargs_meta *meta, fargs_losses_fn lost,
			   const void *arg);

/* Returns the number of lost calls, @cpu->lost, excluding missed calls (missed.h). */
uint64_t fargs_losses_lost(const struct fargs_cpu_stats *cpu);

/* Reports the losses of events in @meta->event_stats. Call after the capture was stopped. */
void fargs_losses_tell_events(const struct fargs_meta *meta);
/*
 * Reports the losses of calls. Call after the capture was stopped. @stats: the module's counters,
 * read after the stop.
 */
void fargs_losses_tell(const struct fargs_meta *meta, const struct fargs_stats *stats);

/* Reports the losses of Intel PT data, and how much was recorded. */
void fargs_losses_tell_pt(const struct fargs_pt_outcome *pt);

#endif
