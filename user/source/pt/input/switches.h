/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which task a CPU runs. Each execution of the instruction that switches tasks belongs to one
 * record of a switch, in their order; which of them the trace does not show, times tell
 * (pt/recount.h).
 */
#ifndef FARGS_PT_SWITCHES_H
#define FARGS_PT_SWITCHES_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

/* The kernel function that switches stacks, on x86 in all versions. */
#define FARGS_PT_SWITCH_FUNC	"__switch_to_asm"

struct fargs_pt_switches {
	const struct fargs_pt_switch *all;	/* of the CPU, by time */
	size_t nr;
	int32_t first;		/* the task before the first one; -1: not known */
};

/* Those of @s; a thread's own stream has none, and is all that thread's. */
void fargs_pt_switches_init(struct fargs_pt_switches *sw, const struct fargs_pt_input *in,
			    const struct fargs_pt_stream *s);

/* How many there were at @ns. */
size_t fargs_pt_switches_at(const struct fargs_pt_switches *sw, uint64_t ns);

/*
 * How many there were at @ns, if @counted have been executed: the same, unless that cannot be
 * since one is missing. The record comes a moment before the execution.
 */
size_t fargs_pt_switches_check(const struct fargs_pt_switches *sw, size_t counted, uint64_t ns);

/* The task after so many of them; -1: not known. */
int32_t fargs_pt_switches_task(const struct fargs_pt_switches *sw, size_t nr);

/* Where that instruction is; 0: nobody knows. */
uint64_t fargs_pt_switches_addr(const struct fargs_pt_input *in);

#endif
