/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the sources of Intel PT have in common.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_DESCRIBE_H
#define FARGS_SOURCE_PT_EVENTS_DESCRIBE_H

#include <stdint.h>

#include "model/meta.h"
#include "source/pt/input/input.h"

/* CPUs above this one are not believed: sinks allocate memory for each CPU. */
#define FARGS_PT_CPUS_MAX	8192

/*
 * Returns the facts about the events of a trace (enum fargs_fact). Sets *@nr_cpus to the highest
 * number of a traced CPU, plus 1; to 1 if threads were traced.
 */
uint32_t fargs_pt_facts(const struct fargs_pt_input *in, unsigned int *nr_cpus);

/* Fills in @meta, which was initialized, for a trace without records. */
void fargs_pt_events_describe(struct fargs_meta *meta, unsigned int nr_cpus);

#endif
