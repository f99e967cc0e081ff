/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls that a task is in, out of the branches that its CPU takes.
 *
 * Not all that looks like a call is one: return thunks are jumped to, retpolines call into their
 * own middle and return to where they were to jump, and stuffing of the return predictor calls
 * without ever returning. So a call is what goes to where a function begins, a return is what
 * goes behind a call that is there, and a jump to where another function begins takes the
 * place of its own. Where tracers have put their own code in a return's way (a hook), what the
 * hook does is done inside of the call that returns, which ends when the hook does.
 */
#ifndef FARGS_PT_STACK_H
#define FARGS_PT_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/pt/decode/flow.h"
#include "source/pt/calls/moments.h"

enum fargs_pt_frame_kind {
	FARGS_PT_FRAME_BASE,		/* who called it was not seen */
	FARGS_PT_FRAME_CALL,
	FARGS_PT_FRAME_INTERRUPT,
};

struct fargs_pt_frame {
	uint64_t from;		/* the call, or where it was interrupted */
	uint64_t addr;		/* where it was entered; 0: no function */
	uint64_t node;		/* number of the call, or of the jump that took its place */
	uint32_t depth;		/* frames below it that are shown; from the outermost root on */
	uint32_t epoch;		/* of the stack, when it was entered */
	uint8_t kind;		/* enum fargs_pt_frame_kind */
	bool is_shown;		/* not what only leads on */
	bool is_inner;		/* a call into a function's middle */
	bool is_jumped;		/* by a jump out of one that was shown */
	bool is_hook;		/* the one below it returns here first */
	bool is_ftrace;		/* to.is_ftrace */
	bool is_tracer;		/* our own code */
	bool is_hidden;		/* with all that it calls, but not what interrupts it */
	bool is_below;		/* of a root, or below one */
	struct fargs_pt_moment entered;	/* for who shows it */
};

/* A function that jumped to another one, which took its place in the frame. */
struct fargs_pt_jumped {
	size_t frame;
	uint64_t addr;
	uint64_t node;
};

/* All zeroes: nothing is known. */
struct fargs_pt_stack {
	struct fargs_pt_frame *frames;
	size_t nr, room;
	struct fargs_pt_jumped *jumped;	/* by frame, of those that are there; others may follow */
	size_t nr_jumped, jumped_room;
	uint64_t *nr_nodes;	/* calls so far, of any number of stacks; NULL: nobody counts */
	uint32_t epoch;		/* set by who uses it: given to the frames that come */
};

void fargs_pt_stack_deinit(struct fargs_pt_stack *s);

/* What is to be known of where a branch goes. */
struct fargs_pt_target {
	uint64_t func;		/* where the function begins that it is in; 0: not known */
	bool is_begin;		/* a function begins there */
	bool is_thunk;		/* one that only leads on to another: a retpoline */
	bool is_own;		/* the same function that the branch is in */
	bool is_hook;		/* what returns are sent to by tracers */
	bool is_ftrace;		/* what functions call at their begin for tracers, perhaps */
	bool is_tracer;		/* our own code */
	bool is_hidden;		/* nor is it to be shown */
	bool is_root;		/* where depths begin */
};

enum fargs_pt_step_kind {
	FARGS_PT_STEP_NONE,	/* within a function, or of nothing that is shown */
	FARGS_PT_STEP_ENTERED,	/* the frame is there */
	FARGS_PT_STEP_JUMPED,	/* the same, in the place of the one that was there */
	FARGS_PT_STEP_LEFT,	/* the frame was there */
	FARGS_PT_STEP_UNSEEN,	/* the frame's function is returned to, whose call was not seen */
};

struct fargs_pt_step {
	enum fargs_pt_step_kind kind;
	const struct fargs_pt_frame *frame;	/* until the next one is taken */
};

/* Those that jumped away from frame @i, the first one first: how many, in *@first. */
size_t fargs_pt_stack_jumped(const struct fargs_pt_stack *s, size_t i,
			     const struct fargs_pt_jumped **first);

/*
 * Takes @item if it is a return to behind a call that is there, as most are: nothing need be known
 * of its target then.
 */
bool fargs_pt_stack_return(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			   struct fargs_pt_step *step);

/*
 * Takes @item, a call of a function's begin of which nothing more is to be known: all else in its
 * target is false, as for most. -ENOMEM.
 */
int fargs_pt_stack_call(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			struct fargs_pt_step *step);

/* What @item does to the stack, whatever it is. -ENOMEM. */
int fargs_pt_stack_take(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			const struct fargs_pt_target *to, struct fargs_pt_step *step);

#endif
