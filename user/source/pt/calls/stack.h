/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call stack of a task, reconstructed from the branches that it executed.
 *
 * The type of a branch instruction does not identify calls and returns: return thunks are entered
 * by jumps, retpolines call into their own middle and then return to the target of an indirect
 * jump, and return stack buffer stuffing executes calls that never return. So a branch to the
 * beginning of a function counts as a call, and a branch to the instruction after a call on the
 * stack counts as a return. When a function jumps to the beginning of another function, the other
 * function replaces it in its frame. A tracer may redirect a return to its own code (a hook). The
 * hook runs inside the returning call, which ends when the hook returns.
 */
#ifndef FARGS_SOURCE_PT_CALLS_STACK_H
#define FARGS_SOURCE_PT_CALLS_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/calls/time_bounds.h"
#include "source/pt/decode/flow.h"

enum fargs_pt_frame_kind {
	FARGS_PT_FRAME_BASE,		/* function whose entry is not in the trace, or a hook */
	FARGS_PT_FRAME_CALL,
	FARGS_PT_FRAME_INTERRUPT,
};

struct fargs_pt_frame {
	uint64_t from;		/* address of the call, or of the interrupted instruction */
	uint64_t addr;		/* address at which the function was entered; 0: unknown */
	uint64_t node;		/* number of the call or of the last jump to another function */
	uint32_t depth;		/* number of shown callers, up to the outermost root */
	uint32_t epoch;		/* the stack's epoch when the function was entered */
	uint8_t kind;		/* enum fargs_pt_frame_kind */
	bool is_shown;		/* not a thunk; neither @is_inner nor @is_hidden is set */
	bool is_inner;		/* a call into the middle of a function */
	bool is_jumped;		/* entered by a jump out of a shown function */
	bool is_hook;		/* a tracer's hook, which runs when the frame below returns */
	bool is_ftrace;		/* a copy of struct fargs_pt_target.is_ftrace */
	bool is_tracer;		/* in fargs's own code */
	bool is_hidden;		/* hidden; its callees are hidden, too, but interrupts are not */
	bool is_below;		/* the function is a root, or has a root among its callers */
	bool is_unseen;		/* returned to; neither its call nor a jump to it is in the trace */
	struct fargs_pt_time_bounds entered;	/* time of entry, set by calls.c */
};

/* A function that jumped to another function, which replaced it in the frame. */
struct fargs_pt_jumped {
	size_t frame;
	uint64_t addr;
	uint64_t node;
};

/* Initialize with zeroes, which means an empty stack. */
struct fargs_pt_stack {
	struct fargs_pt_frame *frames;
	size_t nr, room;
	/* Sorted by frame. Elements whose frame is @nr or higher are outdated. */
	struct fargs_pt_jumped *jumped;
	size_t nr_jumped, jumped_room;
	uint64_t *nr_nodes;	/* counter of calls, shared by several stacks; NULL: do not count */
	uint32_t epoch;		/* set by the caller; copied to new frames */
};

void fargs_pt_stack_deinit(struct fargs_pt_stack *s);

/* Properties of a branch target. */
struct fargs_pt_target {
	uint64_t func;		/* address of the function that contains the target; 0: unknown */
	bool is_begin;		/* the target is the beginning of a function */
	bool is_thunk;		/* a thunk that only jumps to another function, like a retpoline */
	bool is_own;		/* the target is the beginning of the branch's own function */
	bool is_hook;		/* a tracer's hook for returns */
	bool is_ftrace;		/* may be code of ftrace, which traced functions call at entry */
	bool is_tracer;		/* in fargs's own code */
	bool is_hidden;		/* not to be shown */
	bool is_root;		/* a root function: depths are counted from it */
};

enum fargs_pt_step_kind {
	FARGS_PT_STEP_NONE,	/* branch within a function, or call or return that is not shown */
	FARGS_PT_STEP_ENTERED,	/* the frame's function was called */
	FARGS_PT_STEP_JUMPED,	/* the function was entered by a jump or, if a hook, by a return */
	FARGS_PT_STEP_LEFT,	/* the frame's function returned */
	FARGS_PT_STEP_UNSEEN,	/* return to the frame's function from a call not in the trace */
};

struct fargs_pt_step {
	enum fargs_pt_step_kind kind;
	const struct fargs_pt_frame *frame;	/* valid until the next item is taken */
};

/*
 * Finds the functions that were in frame @i before, each of which jumped to the next. Returns their
 * number; *@first is the earliest.
 */
size_t fargs_pt_stack_jumped(const struct fargs_pt_stack *s, size_t i,
			     const struct fargs_pt_jumped **first);

/*
 * Applies @item to the stack if it returns from a call on the stack, as most returns do; no struct
 * fargs_pt_target is needed. Returns whether @item was applied.
 */
bool fargs_pt_stack_return(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			   struct fargs_pt_step *step);

/*
 * Applies @item, which must be a call of the beginning of an ordinary function: of the bool members
 * in the target's struct fargs_pt_target, only is_begin would be set. Returns 0 or -ENOMEM.
 */
int fargs_pt_stack_call(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			struct fargs_pt_step *step);

/* Applies any @item to the stack. @to: properties of its target. Returns 0 or -ENOMEM. */
int fargs_pt_stack_take(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			const struct fargs_pt_target *to, struct fargs_pt_step *step);

#endif
