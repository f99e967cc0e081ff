/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chooses the program whose code a decoder needs when the CPU enters user space. In a thread's
 * stream, this is the thread's process. In a CPU's stream, switch records identify the task. If
 * times are too coarse to identify the task, a process is chosen that ran near the time of the
 * entry and has code at the address where user space is entered.
 */
#ifndef FARGS_SOURCE_PT_DECODE_PROGRAMS_H
#define FARGS_SOURCE_PT_DECODE_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/segments.h"
#include "source/pt/input/input.h"

struct fargs_pt_programs;

/*
 * @lag: how much later than its time an item may be (fargs_pt_flow_lag()). @tick: TSC ticks between
 * two times in the trace (fargs_pt_flow_tick()). @has_switches: task switches are items of the
 * flow. @in must outlive the result. Returns NULL if out of memory.
 */
struct fargs_pt_programs *fargs_pt_programs_create(const struct fargs_pt_input *in, uint64_t lag,
						   uint64_t tick, bool has_switches);
void fargs_pt_programs_destroy(struct fargs_pt_programs *p);

/* Returns whether there are several programs to choose from. */
bool fargs_pt_programs_are_several(const struct fargs_pt_programs *p);

/* The code of in->spaces[@space] (-1: none) at time @ns. */
struct fargs_pt_program {
	int32_t space;
	uint64_t ns;
};

/* Chooses the program at the beginning of @seg. Returns its space; -1: none. */
int32_t fargs_pt_programs_begin(struct fargs_pt_programs *p, const struct fargs_pt_segment *seg);

/*
 * Call when user space is entered at @ip (0: unknown). @tsc: last time in the trace before the
 * entry. Returns whether the decoder must switch to another program, which is in @now.
 */
bool fargs_pt_programs_enter(struct fargs_pt_programs *p, uint64_t ip, uint64_t tsc,
			     struct fargs_pt_program *now);

/*
 * Call fargs_pt_programs_switch() when the instruction that switches tasks was executed, and
 * fargs_pt_programs_hole() at a gap in the trace, in which tasks may have been switched.
 */
void fargs_pt_programs_switch(struct fargs_pt_programs *p);
void fargs_pt_programs_hole(struct fargs_pt_programs *p);

#endif
