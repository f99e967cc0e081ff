/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Matches records to executions of the instruction that allocates sequence numbers.
 *
 * Each execution of this instruction allocates the CPU's next number. A solution assigns numbers to
 * executions so that all constraints (order, times, callers) are satisfied. Usually there are
 * several solutions, and each may be the right one. A record is joined to a call only if all
 * solutions assign the record to the same call.
 *
 * Does no I/O, and does not depend on where the records and executions come from.
 */
#ifndef FARGS_SOURCE_PT_JOIN_ALIGN_H
#define FARGS_SOURCE_PT_JOIN_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of records that an execution can have written, as bit flags. */
enum fargs_pt_maker {
	FARGS_PT_MAKES_ENTRY = 1,	/* entry of a function without a return probe */
	FARGS_PT_MAKES_PROBED = 2,	/* entry of a function with a return probe */
	FARGS_PT_MAKES_RETURN = 4,	/* return of a function with a return probe */
	FARGS_PT_MAKES_TPOINT = 8,
};

/* The number of a call that exists, but is not identified. */
#define FARGS_PT_NODE_UNKNOWN	UINT64_MAX

/* A call from which the instruction that allocates sequence numbers was reached. */
struct fargs_pt_caller {
	uint64_t ip;		/* the call can write only records with this ip; 0: with any ip */
	/* Number of the call, or FARGS_PT_NODE_UNKNOWN; 0: the call was in a hole. */
	uint64_t node;
};

/*
 * An execution, or a hole: a gap in the trace, which may hide any number of executions. @first_tsc
 * and @last_tsc are bounds of the time of the execution's record, or of the times of all records in
 * the hole. They must be certain; other members may be unknown.
 */
struct fargs_pt_token {
	uint64_t first_tsc;	/* never decreases from one token to the next */
	uint64_t last_tsc;	/* UINT64_MAX: unknown */
	uint32_t caller;	/* index of the first possible caller; 0 for a hole */
	uint8_t nr_callers;	/* number of possible callers; 0: unknown */
	uint8_t makers;		/* enum fargs_pt_maker */
	bool is_hole;
	bool is_optional;	/* may belong to another session, which has its own numbers */
	/* fargs_pt_align() does not use @is_several, @tid and @nr_nodes. */
	bool is_several;	/* the call was offered to several sessions at once */
	int32_t tid;		/* tid of the running task; -1: unknown */
	uint64_t nr_nodes;	/* number of calls on all CPUs before this token */
	bool is_left_out;	/* result: turned into a hole because no solution was found */
};

enum fargs_pt_join_state {
	FARGS_PT_UNMATCHED,	/* several calls are possible */
	FARGS_PT_UNTRACED,	/* the call or the execution that wrote the record was in a hole */
	FARGS_PT_JOINED,	/* the record belongs to call number @node */
};

/* A record, and the number of sequence numbers directly before it that have no record. */
struct fargs_pt_seq {
	uint64_t nr_gap;	/* sequence numbers between the previous record and this one */
	uint64_t tsc;
	uint64_t ip;
	uint8_t maker;		/* enum fargs_pt_maker */
	uint8_t state;		/* result: enum fargs_pt_join_state */
	uint64_t node;		/* result: number of the call if joined, else 0 */
	uint32_t token;		/* result if joined: index of a possible execution */
};

/* Value of @nr_rest in struct fargs_pt_alignment if the number is unknown. */
#define FARGS_PT_GAP_UNKNOWN	UINT64_MAX

struct fargs_pt_alignment {
	struct fargs_pt_token *tokens;	/* in order of execution; some may be turned into holes */
	size_t nr_tokens;		/* below 2^32 */
	const struct fargs_pt_caller *callers;
	struct fargs_pt_seq *seqs;	/* in order of sequence numbers */
	size_t nr_seqs;
	uint64_t nr_rest;		/* number of sequence numbers after the last record */
	/* The following members are results. */
	size_t nr_contradictions;	/* how often tokens became holes for lack of a solution */
};

/* Sets a->nr_contradictions and all results in a->seqs and a->tokens. Returns 0 or -ENOMEM. */
int fargs_pt_align(struct fargs_pt_alignment *a);

#endif
