/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call stack of a task, reconstructed from the branches of its CPU.
 *
 * Not all that looks like a call is one: return thunks are jumped to, retpolines call into their
 * own middle and return to the target of their jump, and return stack buffer stuffing calls
 * without ever returning. So a call is a branch to the beginning of a function, a return is a
 * branch to the instruction after a call on the stack, and a jump to the beginning of another
 * function replaces the function in its frame. Where a tracer has redirected a return to its own
 * code (a hook), that code runs inside the returning call, which ends when the hook does.
 */
#ifndef FARGS_SOURCE_PT_CALLS_STACK_H
#define FARGS_SOURCE_PT_CALLS_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/calls/time_bounds.h"
#include "source/pt/decode/flow.h"

enum fargs_pt_frame_kind {
	FARGS_PT_FRAME_BASE,		/* the caller was not seen */
	FARGS_PT_FRAME_CALL,
	FARGS_PT_FRAME_INTERRUPT,
};

struct fargs_pt_frame {
	uint64_t from;		/* address of the call, or of the interrupted instruction */
	uint64_t addr;		/* entry address; 0: no function */
	uint64_t node;		/* number of the call, or of the jump that replaced it */
	uint32_t depth;		/* shown frames below it, from the outermost root on */
	uint32_t epoch;		/* epoch of the stack when it was entered */
	uint8_t kind;		/* enum fargs_pt_frame_kind */
	bool is_shown;		/* not a thunk */
	bool is_inner;		/* a call into the middle of a function */
	bool is_jumped;		/* entered by a jump out of a shown function */
	bool is_hook;		/* the hook to which the frame below returns first */
	bool is_ftrace;		/* to.is_ftrace */
	bool is_tracer;		/* the code of fargs */
	bool is_hidden;		/* including callees, but not interrupts */
	bool is_below;		/* of a root, or called from one */
	struct fargs_pt_time_bounds entered;	/* time of entry, set by calls.c */
};

/* A function that jumped to another one, which replaced it in the frame. */
struct fargs_pt_jumped {
	size_t frame;
	uint64_t addr;
	uint64_t node;
};

/* Zero-initialized: nothing is known. */
struct fargs_pt_stack {
	struct fargs_pt_frame *frames;
	size_t nr, room;
	struct fargs_pt_jumped *jumped;	/* sorted by frame, for existing frames; later ones are
					 * stale
					 */
	size_t nr_jumped, jumped_room;
	uint64_t *nr_nodes;	/* counter of calls, shared by several stacks; NULL: not counted */
	uint32_t epoch;		/* set by the caller; copied to new frames */
};

void fargs_pt_stack_deinit(struct fargs_pt_stack *s);

/* Properties of a branch target. */
struct fargs_pt_target {
	uint64_t func;		/* address of its function; 0: unknown */
	bool is_begin;		/* it is the beginning of a function */
	bool is_thunk;		/* a thunk that only continues to another function: a retpoline */
	bool is_own;		/* the function that contains the branch */
	bool is_hook;		/* a tracer's hook for returns */
	bool is_ftrace;		/* possibly what functions call at entry for tracers */
	bool is_tracer;		/* the code of fargs */
	bool is_hidden;		/* not to be shown */
	bool is_root;		/* depths are counted from here */
};

enum fargs_pt_step_kind {
	FARGS_PT_STEP_NONE,	/* within a function, or not shown */
	FARGS_PT_STEP_ENTERED,	/* the frame was pushed */
	FARGS_PT_STEP_JUMPED,	/* the same, replacing the last frame */
	FARGS_PT_STEP_LEFT,	/* the frame was popped */
	FARGS_PT_STEP_UNSEEN,	/* return to the frame's function, whose call was not seen */
};

struct fargs_pt_step {
	enum fargs_pt_step_kind kind;
	const struct fargs_pt_frame *frame;	/* valid until the next item is taken */
};

/*
 * The functions that jumped away from frame @i, in order; returns their number, and the first in
 * *@first.
 */
size_t fargs_pt_stack_jumped(const struct fargs_pt_stack *s, size_t i,
			     const struct fargs_pt_jumped **first);

/*
 * Takes @item if it is a return to a call on the stack, as most are; its target need not be
 * known. Returns whether it did.
 */
bool fargs_pt_stack_return(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			   struct fargs_pt_step *step);

/*
 * Takes @item, a call of the beginning of a function whose other target properties are all false,
 * as for most calls. Returns 0 or -ENOMEM.
 */
int fargs_pt_stack_call(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			struct fargs_pt_step *step);

/* Takes any @item. Returns 0 or -ENOMEM. */
int fargs_pt_stack_take(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			const struct fargs_pt_target *to, struct fargs_pt_step *step);

#endif
