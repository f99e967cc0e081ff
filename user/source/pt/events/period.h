/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chooses the instructions that become samples: each Nth, or one in a period of time. The trace
 * does not report the time of each instruction. As in perf, each one is assumed to take one tick
 * of the TSC since the last time in the trace, and the ticks of a period are rounded down to a
 * power of two; a sample is due at the first instruction of the next such period.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_PERIOD_H
#define FARGS_SOURCE_PT_EVENTS_PERIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/trace/itrace.h"
#include "source/pt/trace/trace.h"

/* A period, in one of these units; the other is 0. */
struct fargs_pt_period {
	uint64_t insns;
	uint64_t ticks;			/* a power of two */
};

/* Returns the period of samples for a recording with this @config. */
struct fargs_pt_period fargs_pt_period_of(const struct fargs_pt_config *config,
					  enum fargs_itrace_unit unit, uint64_t period);

/* Converts a duration to ticks of the TSC. Without a conversion, a tick is assumed to be one ns. */
uint64_t fargs_pt_period_ticks(const struct fargs_pt_config *config, uint64_t ns);

/* State for one stream. Initialize with zeroes. */
struct fargs_pt_sampler {
	uint64_t nr_insns;		/* instructions before the current one */
	uint64_t sampled_at;		/* @nr_insns at the last sample */
	uint64_t tsc;			/* time of the instructions that are walked */
	uint64_t nr_since;		/* instructions since this time was reported */
	uint64_t slot;			/* beginning of the period of the last sample */
	bool has_slot;			/* @slot is that of the trace since tracing was turned on */
	bool is_walking;		/* @due is valid */
	uint64_t due;			/* instructions up to the next sample, which is the last */
};

/*
 * Takes the instructions of item @at of @part, an EXECUTED. Returns how many of them come up to the
 * next sample, which is the last of these; 0: none of @nr instructions, the remaining ones of the
 * item, becomes a sample.
 */
uint32_t fargs_pt_sampler_take(struct fargs_pt_sampler *s, const struct fargs_pt_period *period,
			       const struct fargs_pt_part *part, size_t at, uint32_t nr);

/* Takes an item other than EXECUTED. */
void fargs_pt_sampler_pass(struct fargs_pt_sampler *s, const struct fargs_pt_item *item);

#endif
