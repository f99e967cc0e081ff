/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Matches records to executions of the instruction that allocates sequence numbers.
 *
 * The numbers of a CPU are allocated in the order in which that instruction is executed, one per
 * execution. So everything known constrains one question: which execution allocated which number?
 * Every answer that satisfies all constraints may be the right one. A record is joined if it has
 * the same call in all of these answers; no answer is ever chosen among several.
 *
 * Pure: no I/O, and no knowledge of the origin of the two lists.
 */
#ifndef FARGS_SOURCE_PT_JOIN_ALIGN_H
#define FARGS_SOURCE_PT_JOIN_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of records that an execution can have made: bits. */
enum fargs_pt_maker {
	FARGS_PT_MAKES_ENTRY = 1,	/* entry of a function without a return probe */
	FARGS_PT_MAKES_PROBED = 2,	/* entry of a function with a return probe */
	FARGS_PT_MAKES_RETURN = 4,	/* return of such a function */
	FARGS_PT_MAKES_TPOINT = 8,
};

/* A call that exists, but is not known which one. */
#define FARGS_PT_NODE_UNKNOWN	UINT64_MAX

/* A call from which the instruction was reached. */
struct fargs_pt_caller {
	uint64_t ip;		/* as in records; 0: any */
	uint64_t node;		/* of the call, or UNKNOWN; 0: the call was in a hole */
};

/*
 * An execution, or a hole: a part of the trace in which any number of executions is not seen.
 * Bounds on times must be certain; everything else may be incomplete.
 */
struct fargs_pt_token {
	uint64_t first_tsc;	/* lower bound; never decreases from one token to the next */
	uint64_t last_tsc;	/* upper bound of the time of its record, or those of a hole */
	uint32_t caller;	/* index of the first possible caller; of a hole: 0 */
	uint8_t nr_callers;	/* number of possible callers; 0: unknown */
	uint8_t makers;		/* enum fargs_pt_maker */
	bool is_hole;
	bool is_optional;	/* it may belong to another session, which allocates no number
				 * here
				 */
	int32_t tid;		/* task, for callers only; -1: unknown */
	uint64_t nr_nodes;	/* calls of all CPUs before it, for callers only */
	bool is_left_out;	/* result: made a hole because nothing fits here */
};

enum fargs_pt_join_state {
	FARGS_PT_UNMATCHED,	/* several executions are possible */
	FARGS_PT_UNTRACED,	/* it, or its call, was in a hole */
	FARGS_PT_JOINED,	/* it belongs to call node */
};

/* A record, and the numbers without a record before it. */
struct fargs_pt_seq {
	uint64_t nr_gap;	/* numbers without a record between the previous one and this */
	uint64_t tsc;
	uint64_t ip;
	uint8_t maker;		/* one of enum fargs_pt_maker */
	uint8_t state;		/* result: enum fargs_pt_join_state */
	uint64_t node;		/* result */
	uint32_t token;		/* result if joined: one of its possible executions */
};

/* Value of nr_behind if the number is unknown. */
#define FARGS_PT_GAP_UNKNOWN	UINT64_MAX

struct fargs_pt_alignment {
	struct fargs_pt_token *tokens;	/* in order of execution; contradictory ones become holes */
	size_t nr_tokens;		/* below 2^32 */
	const struct fargs_pt_caller *callers;
	struct fargs_pt_seq *seqs;	/* in order of sequence numbers */
	size_t nr_seqs;
	uint64_t nr_behind;		/* numbers without a record after the last record */
	/* Results: */
	size_t nr_contradictions;	/* stretches in which nothing fits, and no record is
					 * joined
					 */
};

/* Sets the results of all numbers. Returns 0 or -ENOMEM. */
int fargs_pt_align(struct fargs_pt_alignment *a);

#endif
