/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PEBS records in a trace as samples: of which events a record is, and what the samples have.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_PEBS_H
#define FARGS_SOURCE_PT_EVENTS_PEBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "source/pt/input/input.h"
#include "source/pt/packet/pebs.h"

/* Values of a sample besides its places: address, weight and the like, period, registers. */
#define FARGS_PT_PEBS_SAMPLE_VALUES	(5 + FARGS_PT_PEBS_NR_REGS + FARGS_PT_PEBS_VALUES)

/* Their names, ending with NULL. */
extern const char *const fargs_pt_pebs_names[FARGS_PT_PEBS_SAMPLE_VALUES + 1];

/* Of which event each counter of a stream is, up to a position in the stream. */
struct fargs_pt_pebs_counters {
	const struct fargs_pt_pebs_counter *next, *end;		/* what is not taken yet */
	uint32_t events[FARGS_PT_PEBS_COUNTERS_MAX];		/* index + 1; 0: unknown */
};

void fargs_pt_pebs_counters_init(struct fargs_pt_pebs_counters *c, const struct fargs_pt_input *in,
				 const struct fargs_pt_stream *stream);
/*
 * Sets @events to those that @pebs, at the time @ns (UINT64_MAX: not known), is of: indexes in
 * in->pebs_events. As in perf, if the event of a counter is not known, it is the first one. Returns
 * their number.
 */
unsigned int fargs_pt_pebs_counters_events(struct fargs_pt_pebs_counters *c,
					   const struct fargs_pt_pebs *pebs, uint64_t ns,
					   uint32_t events[FARGS_PT_PEBS_COUNTERS_MAX]);

/* A record, and what of it the sample has that its event asks for. */
struct fargs_pt_pebs_sample {
	struct fargs_pt_pebs pebs;
	uint64_t ip;			/* 0: the record has none */
	uint64_t addr, weight, transaction, data_src, period;
	struct fargs_last_branch branches[FARGS_PT_PEBS_BRANCHES];
	unsigned int nr_branches;
	uint64_t regs_mask;		/* perf's: enum perf_event_x86_regs */
	uint64_t regs[64];		/* those in @regs_mask */
};

/* Sets @s from s->pebs, for a sample of @event. */
void fargs_pt_pebs_sample_set(struct fargs_pt_pebs_sample *s,
			      const struct fargs_pt_pebs_event *event);
/*
 * Sets @args to the values of @s, which must outlive them: first the period. Returns their number,
 * at most FARGS_PT_PEBS_SAMPLE_VALUES.
 */
unsigned int fargs_pt_pebs_sample_values(const struct fargs_pt_pebs_sample *s,
					 const struct fargs_pt_pebs_event *event,
					 struct fargs_arg *args);

#endif
