/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which record belongs to which execution of the instruction that takes numbers.
 *
 * A CPU's numbers are taken in the order in which that instruction is executed, each by one
 * execution. So all that is known puts limits to one question, which execution took which
 * number, and each answer that keeps to all of them may be the right one. A record is joined
 * if it has the same call in all of these answers; no answer is ever chosen among several.
 *
 * Pure: no I/O, and nothing of how the two lists came about.
 */
#ifndef FARGS_PT_ALIGN_H
#define FARGS_PT_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What kinds of records an execution can have made: bits. */
enum fargs_pt_maker {
	FARGS_PT_MAKES_ENTRY = 1,	/* of a function that has no return probe */
	FARGS_PT_MAKES_PROBED = 2,	/* at the call of one that has */
	FARGS_PT_MAKES_RETURN = 4,	/* at its return */
	FARGS_PT_MAKES_TPOINT = 8,
};

/* A call that is there, but nobody knows which. */
#define FARGS_PT_NODE_UNKNOWN	UINT64_MAX

/* A call from which the instruction was reached. */
struct fargs_pt_caller {
	uint64_t ip;		/* as records have it; 0: of any */
	uint64_t node;		/* of the call, or UNKNOWN; 0: it was in a hole */
};

/*
 * An execution, or a hole: a part of the trace in which any number of them is not seen. What
 * is told of times must hold, all else may be vague.
 */
struct fargs_pt_token {
	uint64_t first_tsc;	/* it was not before; does not fall from one to the next */
	uint64_t last_tsc;	/* its record, or those of a hole, have no later time */
	uint32_t caller;	/* the first of those it may be of, in an array; of a hole: 0 */
	uint8_t nr_callers;	/* 0: nothing is known */
	uint8_t makers;		/* enum fargs_pt_maker */
	bool is_hole;
	bool is_optional;	/* it may be another session's, and have taken none of these */
	int32_t tid;		/* of the task, for who asks; -1: not known */
	uint64_t nr_nodes;	/* calls in front of it, of all CPUs, for who asks */
	bool is_left_out;	/* result: a hole since nothing fits here */
};

enum fargs_pt_join_state {
	FARGS_PT_UNMATCHED,	/* several executions may be the one */
	FARGS_PT_UNTRACED,	/* it was in a hole, or its call was */
	FARGS_PT_JOINED,	/* of the call at node */
};

/* A record, and those numbers that no record carries. */
struct fargs_pt_number {
	uint64_t nr_gap;	/* right before it */
	uint64_t tsc;
	uint64_t ip;
	uint8_t maker;		/* one of enum fargs_pt_maker */
	uint8_t state;		/* result: enum fargs_pt_join_state */
	uint64_t node;		/* result */
	uint32_t token;		/* result, of a joined one: one of its executions */
};

/* How many numbers were taken behind the last record, if nobody knows. */
#define FARGS_PT_GAP_UNKNOWN	UINT64_MAX

struct fargs_pt_alignment {
	struct fargs_pt_token *tokens;	/* in their order; those that contradict become holes */
	size_t nr_tokens;		/* below 2^32 */
	const struct fargs_pt_caller *callers;
	struct fargs_pt_number *numbers;	/* in the order of their numbers */
	size_t nr_numbers;
	uint64_t nr_behind;		/* numbers that no record carries, behind the last one */
	/* Results: */
	size_t nr_contradictions;	/* stretches in which nothing fits, and none is joined */
};

/* Sets state and node of all numbers. -ENOMEM. */
int fargs_pt_align(struct fargs_pt_alignment *a);

#endif
