/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which task a CPU runs. Each execution of the instruction that switches stacks matches one
 * switch record, in order; times find the executions that the trace misses
 * (source/pt/decode/switch_resync.h).
 */
#ifndef FARGS_SOURCE_PT_INPUT_SWITCHES_H
#define FARGS_SOURCE_PT_INPUT_SWITCHES_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

/* The kernel function that switches stacks, on x86 in all versions. */
#define FARGS_PT_SWITCH_FUNC	"__switch_to_asm"

struct fargs_pt_switches {
	const struct fargs_pt_switch *all;	/* of the CPU, sorted by time */
	size_t nr;
	int32_t first;		/* task before the first switch; -1: unknown */
};

/* Selects the switches of @s. The stream of a thread has none: all of it is that thread's. */
void fargs_pt_switches_init(struct fargs_pt_switches *sw, const struct fargs_pt_input *in,
			    const struct fargs_pt_stream *s);

/* Number of switches at or before @ns. */
size_t fargs_pt_switches_at(const struct fargs_pt_switches *sw, uint64_t ns);

/*
 * Number of switches executed by @ns, if the decoder counted @counted. Returns @counted if it
 * equals the number of records, or is one less, since a record is written shortly before the
 * switch executes. Otherwise the trace misses a switch, and the number of records is returned.
 */
size_t fargs_pt_switches_check(const struct fargs_pt_switches *sw, size_t counted, uint64_t ns);

/* The task after @nr switches; -1: unknown. */
int32_t fargs_pt_switches_task(const struct fargs_pt_switches *sw, size_t nr);

/* Address of FARGS_PT_SWITCH_FUNC; 0: unknown. */
uint64_t fargs_pt_switches_addr(const struct fargs_pt_input *in);

#endif
