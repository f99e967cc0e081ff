/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Determines which task a CPU runs. Each execution of the instruction that switches stacks matches
 * one switch record, in order. Executions that are missing in the trace are found by comparing
 * times (source/pt/decode/switch_resync.h).
 */
#ifndef FARGS_SOURCE_PT_INPUT_SWITCHES_H
#define FARGS_SOURCE_PT_INPUT_SWITCHES_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"

/* The kernel function that switches stacks; on x86, it has this name in all versions. */
#define FARGS_PT_SWITCH_FUNC	"__switch_to_asm"

struct fargs_pt_switches {
	const struct fargs_pt_switch *all;	/* the CPU's switches, sorted by time */
	size_t nr;
	int32_t first;		/* task before the first switch; -1: unknown */
};

/* Selects the switches of @s. A thread's stream has none, since it contains only this thread. */
void fargs_pt_switches_init(struct fargs_pt_switches *sw, const struct fargs_pt_input *in,
			    const struct fargs_pt_stream *s);

/* Returns the number of switches at or before @ns. */
size_t fargs_pt_switches_at(const struct fargs_pt_switches *sw, uint64_t ns);

/*
 * Returns the number of switches executed before @ns. @counted: number of switches in the decoded
 * trace. Returns @counted if it equals the number of records, or is less by one, since a record is
 * written shortly before its switch executes. Otherwise returns the number of records, since
 * switches are missing in the trace.
 */
size_t fargs_pt_switches_check(const struct fargs_pt_switches *sw, size_t counted, uint64_t ns);

/* Returns the task that runs after @nr switches; -1 if unknown. */
int32_t fargs_pt_switches_task(const struct fargs_pt_switches *sw, size_t nr);

/*
 * Adds a note to @in, whose switches must be sorted, if the trace does not show which of several
 * tasks of a CPU was executed: without the kernel, only times show it, and without MTCs and cycles,
 * there are none but those of the PSBs. Returns 0 or -ENOMEM.
 */
int fargs_pt_switches_note(struct fargs_pt_input *in);

/* Returns the address of FARGS_PT_SWITCH_FUNC; 0 if unknown. */
uint64_t fargs_pt_switches_addr(const struct fargs_pt_input *in);

/*
 * Joins the halves in in->switches, which must be sorted, to whole switches. The kernel records a
 * switch in two halves (PERF_RECORD_SWITCH), one for the events of each task, if perf record traced
 * tasks rather than CPUs, as it does for unprivileged users. If a CPU also has whole switches, from
 * PERF_RECORD_SWITCH_CPU_WIDE, its halves are dropped, and so are beginnings of the trace in the
 * task from which the previous switch switches. Must be called only once, because it cannot
 * tell switches that it has joined from those that were whole.
 */
void fargs_pt_switch_halves_join(struct fargs_pt_input *in);

#endif
