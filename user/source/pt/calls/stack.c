// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/calls/stack.h"

#include <errno.h>
#include <stdlib.h>

#include "source/pt/code/insn.h"

/* A kernel stack of 16 KiB cannot hold more frames: if there are more, returns were missed. */
#define FRAMES_MAX	4096
/* Initial number of elements of each array. */
#define ROOM_MIN	64

/* A frame used as the caller of the first frame, which has no caller on the stack. */
static const struct fargs_pt_frame none;

void fargs_pt_stack_deinit(struct fargs_pt_stack *s)
{
	free(s->frames);
	free(s->jumped);
	*s = (struct fargs_pt_stack){ };
}

/* The arrays of frames and jumps never shrink, because their numbers of elements change often. */
static __attribute__((noinline)) bool grow_frames(struct fargs_pt_stack *s)
{
	size_t room = s->room ? 2 * s->room : ROOM_MIN;
	struct fargs_pt_frame *larger = realloc(s->frames, room * sizeof(*larger));

	if (!larger)
		return false;
	s->frames = larger;
	s->room = room;
	return true;
}

static __attribute__((noinline)) bool grow_jumped(struct fargs_pt_stack *s)
{
	size_t room = s->jumped_room ? 2 * s->jumped_room : ROOM_MIN;
	struct fargs_pt_jumped *larger = realloc(s->jumped, room * sizeof(*larger));

	if (!larger)
		return false;
	s->jumped = larger;
	s->jumped_room = room;
	return true;
}

static struct fargs_pt_frame *top_of(const struct fargs_pt_stack *s)
{
	return s->nr ? &s->frames[s->nr - 1] : NULL;
}

static uint64_t next_node(struct fargs_pt_stack *s)
{
	return s->nr_nodes ? ++*s->nr_nodes : 0;
}

/* Drops the elements of s->jumped for popped frames, whose indexes are @nr or higher. */
static void forget_jumped(struct fargs_pt_stack *s, size_t nr)
{
	while (s->nr_jumped && s->jumped[s->nr_jumped - 1].frame >= nr)
		s->nr_jumped--;
}

/* Saves the function in the last frame, before another function replaces it. */
static int keep_jumped(struct fargs_pt_stack *s)
{
	const struct fargs_pt_frame *top = top_of(s);

	forget_jumped(s, s->nr);
	if (s->nr_jumped == s->jumped_room && !grow_jumped(s))
		return -ENOMEM;
	s->jumped[s->nr_jumped++] = (struct fargs_pt_jumped){
		.frame = s->nr - 1, .addr = top->addr, .node = top->node,
	};
	return 0;
}

size_t fargs_pt_stack_jumped(const struct fargs_pt_stack *s, size_t i,
			     const struct fargs_pt_jumped **first)
{
	size_t end = s->nr_jumped, begin;

	while (end && s->jumped[end - 1].frame > i)
		end--;
	for (begin = end; begin && s->jumped[begin - 1].frame == i;)
		begin--;
	*first = s->jumped + begin;
	return end - begin;
}

static int push_frame(struct fargs_pt_stack *s, enum fargs_pt_frame_kind kind,
		      const struct fargs_pt_item *item, const struct fargs_pt_target *to,
		      struct fargs_pt_step *step)
{
	const struct fargs_pt_frame *below = &none;
	struct fargs_pt_frame *frame;
	bool is_root;

	if (s->nr == FRAMES_MAX)
		s->nr = 0;
	if (s->nr)
		below = top_of(s);
	forget_jumped(s, s->nr);
	is_root = to->is_root && (to->is_begin || kind == FARGS_PT_FRAME_BASE) &&
		  !below->is_below;
	frame = &s->frames[s->nr++];
	*frame = (struct fargs_pt_frame){
		.from = item->from, .addr = item->to, .kind = kind,
		.node = next_node(s), .epoch = s->epoch, .is_tracer = to->is_tracer,
		.is_ftrace = to->is_ftrace,
		.is_hidden = to->is_hidden ||
			     (below->is_hidden && kind != FARGS_PT_FRAME_INTERRUPT),
		.is_below = is_root || below->is_below,
		.depth = is_root ? 0 : below->depth + below->is_shown,
		.is_shown = !to->is_thunk && (to->is_begin || kind != FARGS_PT_FRAME_CALL),
		.is_inner = !to->is_begin && kind == FARGS_PT_FRAME_CALL,
	};
	frame->is_shown &= !frame->is_hidden;
	step->frame = frame;
	step->kind = frame->is_shown ? FARGS_PT_STEP_ENTERED : FARGS_PT_STEP_NONE;
	return 0;
}

/*
 * Empties the stack and pushes a frame for the target of @item, which may be any address in a
 * function.
 */
static int restart_stack(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			 const struct fargs_pt_target *to, struct fargs_pt_step *step)
{
	s->nr = 0;
	return item->to ? push_frame(s, FARGS_PT_FRAME_BASE, item, to, step) : 0;
}

/*
 * Handles a jump. If the target is another function, that function will return to the caller of
 * the jumping function.
 */
static int take_jump(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
		     const struct fargs_pt_target *to, struct fargs_pt_step *step)
{
	struct fargs_pt_frame *top;

	if (!to->is_begin || to->is_own)
		return 0;
	/* Drop the calls of return stack buffer stuffing and of retpolines, which never return. */
	while (s->nr && top_of(s)->is_inner)
		s->nr--;
	top = top_of(s);
	if (!top)
		return restart_stack(s, item, to, step);
	if (top->is_shown && keep_jumped(s))
		return -ENOMEM;
	/* The frame keeps its kind: the frame of an interrupt handler still ends with IRET. */
	top->addr = item->to;
	top->node = next_node(s);
	top->epoch = s->epoch;
	top->is_jumped |= top->is_shown;
	top->is_unseen = false;
	top->is_tracer = to->is_tracer;
	top->is_hidden |= to->is_hidden;
	if (to->is_root && !top->is_below) {
		top->is_below = true;
		top->depth = 0;
	}
	top->is_shown = !to->is_thunk && !top->is_hidden;
	step->frame = top;
	if (top->is_shown)
		step->kind = top->is_jumped ? FARGS_PT_STEP_JUMPED : FARGS_PT_STEP_ENTERED;
	return 0;
}

/* Handles a return to a tracer's hook. The hook runs inside the returning call. */
static int enter_hook(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
		      const struct fargs_pt_target *to, struct fargs_pt_step *step)
{
	while (s->nr && top_of(s)->is_inner)
		s->nr--;
	/* If one traced function jumped to another, the first hook returns to a second hook. */
	if (s->nr && top_of(s)->is_hook)
		s->nr--;
	if (push_frame(s, FARGS_PT_FRAME_BASE, item, to, step))
		return -ENOMEM;
	top_of(s)->is_hook = true;
	if (step->kind == FARGS_PT_STEP_ENTERED)
		step->kind = FARGS_PT_STEP_JUMPED;
	return 0;
}

/*
 * Returns the index of the frame whose call instruction directly precedes the target of @item;
 * s->nr if there is none.
 */
static size_t find_call(const struct fargs_pt_stack *s, const struct fargs_pt_item *item)
{
	size_t i;

	for (i = s->nr; i; i--) {
		const struct fargs_pt_frame *frame = &s->frames[i - 1];

		if (frame->kind == FARGS_PT_FRAME_INTERRUPT)
			break;
		if (frame->kind == FARGS_PT_FRAME_CALL && item->to > frame->from &&
		    item->to - frame->from <= FARGS_PT_INSN_MAX)
			return i - 1;
	}
	return s->nr;
}

static void leave_frame(struct fargs_pt_stack *s, size_t i, struct fargs_pt_step *step)
{
	step->frame = &s->frames[i];
	step->kind = step->frame->is_shown ? FARGS_PT_STEP_LEFT : FARGS_PT_STEP_NONE;
	s->nr = i;
}

bool fargs_pt_stack_return(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			   struct fargs_pt_step *step)
{
	size_t i;

	if (item->kind != FARGS_PT_BRANCH || item->flags & FARGS_PT_ENDS ||
	    (item->insn != FARGS_PT_INSN_RETURN && item->insn != FARGS_PT_INSN_FAR_RETURN))
		return false;
	i = find_call(s, item);
	if (i == s->nr)
		return false;
	leave_frame(s, i, step);
	return true;
}

/* Marks the frame pushed for the target of a return, if there is one, as one without a call. */
static void set_unseen(struct fargs_pt_stack *s, struct fargs_pt_step *step)
{
	step->kind = FARGS_PT_STEP_UNSEEN;
	if (s->nr)
		top_of(s)->is_unseen = true;
}

/* Handles a return to an address that does not follow a call on the stack. */
static int take_return(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
		       const struct fargs_pt_target *to, struct fargs_pt_step *step)
{
	size_t i;
	int status;

	if (to->is_hook)
		return enter_hook(s, item, to, step);
	/* A retpoline uses a return as an indirect jump. */
	if (to->is_begin)
		return take_jump(s, item, to, step);
	/* Search for the target's function, down to the frame of the last interrupt. */
	for (i = s->nr; i && s->frames[i - 1].kind != FARGS_PT_FRAME_INTERRUPT; i--) {
		if (to->func && s->frames[i - 1].addr == to->func) {
			s->nr = i;
			return 0;
		}
	}
	s->nr = i;
	status = push_frame(s, FARGS_PT_FRAME_BASE, item, to, step);
	if (!status)
		set_unseen(s, step);
	return status;
}

/*
 * Handles the abort of a transaction (TSX). Execution continues in the function that began the
 * transaction, so the calls made in the transaction are undone.
 */
static int abort_to(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
		    const struct fargs_pt_target *to, struct fargs_pt_step *step)
{
	size_t i;

	for (i = s->nr; i && s->frames[i - 1].kind != FARGS_PT_FRAME_INTERRUPT; i--) {
		if (to->func && s->frames[i - 1].addr == to->func) {
			s->nr = i;
			return 0;
		}
	}
	return restart_stack(s, item, to, step);
}

/*
 * Ends the last interrupt, whatever the target of the IRET: fault handlers may change the return
 * address.
 */
static int take_iret(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
		     const struct fargs_pt_target *to, struct fargs_pt_step *step)
{
	size_t i;
	int status;

	for (i = s->nr; i; i--) {
		if (s->frames[i - 1].kind == FARGS_PT_FRAME_INTERRUPT) {
			leave_frame(s, i - 1, step);
			return 0;
		}
	}
	status = restart_stack(s, item, to, step);
	if (!status)
		set_unseen(s, step);
	return status;
}

static int take_branch(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
		       const struct fargs_pt_target *to, struct fargs_pt_step *step)
{
	if (item->flags & FARGS_PT_ENDS) {
		if (s->nr)
			leave_frame(s, 0, step);
		return 0;
	}
	switch (item->insn) {
	case FARGS_PT_INSN_CALL:
	case FARGS_PT_INSN_FAR_CALL:
		return push_frame(s, FARGS_PT_FRAME_CALL, item, to, step);
	case FARGS_PT_INSN_JUMP:
	case FARGS_PT_INSN_COND:
		return take_jump(s, item, to, step);
	case FARGS_PT_INSN_RETURN:
	case FARGS_PT_INSN_FAR_RETURN:
		return fargs_pt_stack_return(s, item, step) ? 0 : take_return(s, item, to, step);
	case FARGS_PT_INSN_IRET:
		return take_iret(s, item, to, step);
	case FARGS_PT_INSN_INT:
		return push_frame(s, FARGS_PT_FRAME_INTERRUPT, item, to, step);
	}
	return 0;
}

int fargs_pt_stack_call(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			struct fargs_pt_step *step)
{
	static const struct fargs_pt_target to = { .is_begin = true };
	const struct fargs_pt_frame *below;
	struct fargs_pt_frame *frame;

	if (s->nr == s->room && s->nr < FRAMES_MAX && !grow_frames(s))
		return -ENOMEM;
	below = s->nr ? &s->frames[s->nr - 1] : &none;
	if (below->is_hidden || s->nr == FRAMES_MAX)
		return push_frame(s, FARGS_PT_FRAME_CALL, item, &to, step);
	forget_jumped(s, s->nr);
	/*
	 * The following code does the same as push_frame() for a call of an ordinary function, but
	 * faster.
	 */
	frame = &s->frames[s->nr++];
	frame->from = item->from;
	frame->addr = item->to;
	frame->node = next_node(s);
	frame->depth = below->depth + below->is_shown;
	frame->epoch = s->epoch;
	frame->kind = FARGS_PT_FRAME_CALL;
	frame->is_shown = true;
	frame->is_inner = false;
	frame->is_jumped = false;
	frame->is_hook = false;
	frame->is_ftrace = false;
	frame->is_tracer = false;
	frame->is_hidden = false;
	frame->is_unseen = false;
	frame->is_below = below->is_below;
	step->frame = frame;
	step->kind = FARGS_PT_STEP_ENTERED;
	return 0;
}

int fargs_pt_stack_take(struct fargs_pt_stack *s, const struct fargs_pt_item *item,
			const struct fargs_pt_target *to, struct fargs_pt_step *step)
{
	/* Reserve room for one more frame, which the functions called below may push. */
	if (s->nr == s->room && s->nr < FRAMES_MAX && !grow_frames(s))
		return -ENOMEM;
	step->kind = FARGS_PT_STEP_NONE;
	step->frame = &none;
	switch (item->kind) {
	case FARGS_PT_BRANCH:
		return take_branch(s, item, to, step);
	case FARGS_PT_BEGIN:
	case FARGS_PT_VM:
		return restart_stack(s, item, to, step);
	case FARGS_PT_INTERRUPT:
		/* A VM follows, with a stack of its own. */
		if (item->flags & FARGS_PT_VM_EXIT && !item->to)
			return 0;
		return item->flags & FARGS_PT_ABORTS ?
		       abort_to(s, item, to, step) :
		       push_frame(s, FARGS_PT_FRAME_INTERRUPT, item, to, step);
	case FARGS_PT_OVERFLOW:
		return restart_stack(s, item, to, step);
	case FARGS_PT_END:
		if (s->nr)
			leave_frame(s, s->nr - 1, step);
		s->nr = 0;
		break;
	case FARGS_PT_SKIPPED:
	case FARGS_PT_LOST:
	case FARGS_PT_ERROR:
		s->nr = 0;
	}
	return 0;
}
