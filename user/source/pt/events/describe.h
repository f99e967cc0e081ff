/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that all Intel PT sources use.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_DESCRIBE_H
#define FARGS_SOURCE_PT_EVENTS_DESCRIBE_H

#include <stdint.h>

#include "model/meta.h"
#include "source/pt/input/input.h"

/* Maximum plausible number of CPUs. Checked because sinks allocate memory for each CPU. */
#define FARGS_PT_CPUS_MAX	8192

/*
 * Returns the facts about the events of a trace (enum fargs_fact). Sets *@nr_cpus to the number of
 * the highest traced CPU plus 1, or to 1 if only threads were traced.
 */
uint32_t fargs_pt_facts(const struct fargs_pt_input *in, unsigned int *nr_cpus);

/*
 * The function span() of Intel PT sources (source/source.h): the times between which was recorded,
 * which are not those of the first and the last item.
 */
void fargs_pt_span(const struct fargs_pt_input *in, uint64_t *first_ns, uint64_t *last_ns);

/* Fills in @meta for a trace without records. The caller must have initialized @meta. */
void fargs_pt_events_describe(struct fargs_meta *meta, unsigned int nr_cpus);

/*
 * Adds an event of @type (enum fargs_perf_event_type) to @perf, with the parts that perf's samples
 * of Intel PT have.
 */
void fargs_pt_describe_event(struct fargs_perf_meta *perf, const struct fargs_pt_input *in,
			     unsigned int type, const char *name);

#endif
