// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/calls.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "sink/export/branch_type.h"
#include "sink/export/perf_db/stack.h"

void fargs_pdb_calls_deinit(struct fargs_pdb_calls *c)
{
	while (c->nr_stacks) {
		free(c->stacks[--c->nr_stacks]->frames);
		free(c->stacks[c->nr_stacks]);
	}
	free(c->stacks);
	c->stacks = NULL;
	fargs_hash_deinit(&c->by_id);
}

static struct fargs_pdb_stack *get_stack(struct fargs_pdb_calls *c,
					 const struct fargs_pdb_branch *b)
{
	__cleanup_free struct fargs_pdb_stack *stack = NULL;
	uint32_t hash = fargs_hash_u64(b->stack), at, i;
	struct fargs_pdb_stack **to;

	fargs_hash_for_each(i, at, &c->by_id, hash)
		if (c->stacks[i]->id == b->stack)
			return c->stacks[i];
	stack = calloc(1, sizeof(*stack));
	if (!stack || fargs_hash_reserve(&c->by_id, c->nr_stacks + 1))
		return NULL;
	to = fargs_array_add(c->stacks, c->nr_stacks);
	if (!to)
		return NULL;
	stack->id = b->stack;
	stack->task = b->task;
	stack->piece = b->piece;
	fargs_hash_add(&c->by_id, hash, c->nr_stacks - 1);
	*to = fargs_take_ptr(stack);
	return *to;
}

/* Opens a call of @place in the call with the path @parent. */
static int push(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
		const struct fargs_pdb_branch *b, int64_t parent,
		const struct fargs_pdb_place *place, struct fargs_pdb_frame frame)
{
	int ret = fargs_pdb_path_find(c->places, parent, place, &frame.path);

	return ret ? ret : fargs_pdb_stack_push(s, b, &frame);
}

static int pop(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
	       const struct fargs_pdb_branch *b, bool is_no_return)
{
	return fargs_pdb_stack_pop(c, s, b->ns, b->sample, is_no_return);
}

static int64_t top_path(const struct fargs_pdb_stack *s)
{
	return s->nr ? fargs_pdb_stack_top(s)->path : FARGS_PDB_ROOT;
}

/* Returns the symbol of the call that is @nr calls further out than the innermost one. */
static int64_t symbol_of(struct fargs_pdb_calls *c, const struct fargs_pdb_stack *s, size_t nr)
{
	return fargs_pdb_path(c->places, s->frames[s->nr - 1 - nr].path)->symbol;
}

static bool is_in_kernel(struct fargs_pdb_calls *c, const struct fargs_pdb_stack *s)
{
	return s->nr && fargs_pdb_path(c->places, top_path(s))->is_kernel;
}

/* Opens the call that is running when the first branch of the task is seen. */
static int push_first(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
		      const struct fargs_pdb_branch *b)
{
	const struct fargs_pdb_place *place = b->from.addr ? &b->from : &b->to;

	if (!place->addr)
		return 0;
	return push(c, s, b, FARGS_PDB_ROOT, place, (struct fargs_pdb_frame){
		.return_addr = place->addr, .has_no_call = true,
	});
}

static int take_call(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
		     const struct fargs_pdb_branch *b, bool is_retpoline)
{
	const uint64_t after = b->from.addr + b->insn_bytes;

	/* A call of the next instruction only reads its own address. */
	if (!b->from.addr || !b->to.addr || after == b->to.addr)
		return 0;
	s->is_retpoline = !is_retpoline && b->to.symbol && b->to.symbol == b->from.symbol &&
			  !b->to.is_begin;
	return push(c, s, b, top_path(s), &b->to, (struct fargs_pdb_frame){
		.return_addr = after, .ends_trace = b->flags & FARGS_BRANCH_TRACE_END,
	});
}

/*
 * A return in a retpoline, which is an indirect jump to b->to: takes thunks of retpolines off the
 * stack, and replaces the call in the retpoline by the function that was jumped to.
 */
static int take_retpoline(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
			  const struct fargs_pdb_branch *b)
{
	bool is_thunk = fargs_pdb_path(c->places, top_path(s))->is_thunk;
	int64_t symbol = symbol_of(c, s, is_thunk ? 2 : 0), path;
	int ret;

	if (is_thunk)
		s->nr--;
	/* A jump inside the function is no call. */
	if (symbol && symbol == b->to.symbol && !(is_thunk && b->to.is_begin)) {
		s->nr--;
		return 0;
	}
	ret = fargs_pdb_path_find(c->places, s->frames[s->nr - 2].path, &b->to, &path);
	fargs_pdb_stack_top(s)->path = path;
	return ret;
}

static bool returns_to(const struct fargs_pdb_frame *frame, uint64_t addr)
{
	return frame->return_addr == addr && !frame->is_jump;
}

/* Closes the call that returns to b->to, and those in it. Returns 1 if there is none. */
static int pop_returned(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
			const struct fargs_pdb_branch *b)
{
	size_t i = s->nr;
	int ret = 0;

	if (!i)
		return 1;
	/* Where the outermost call returns to is not known. */
	if (i == 1 && symbol_of(c, s, 0) == b->from.symbol)
		return pop(c, s, b, false);
	while (i && !returns_to(&s->frames[i - 1], b->to.addr))
		i--;
	if (!i)
		return 1;
	while (s->nr > i && !ret)
		ret = pop(c, s, b, true);
	return ret ? ret : pop(c, s, b, false);
}

/* The kernel was left: no call of it is open. */
static int leave_kernel(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
			const struct fargs_pdb_branch *b)
{
	int ret = 0;

	while (!ret && is_in_kernel(c, s))
		ret = pop(c, s, b, true);
	return ret;
}

/* A return out of the function of the innermost call, to an address where it was not made. */
static int return_elsewhere(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
			    const struct fargs_pdb_branch *b)
{
	/* The call was made before the trace began. */
	if (s->nr == 1) {
		int ret = pop(c, s, b, false);

		if (ret)
			return ret;
	}
	if (!s->nr)
		return push(c, s, b, FARGS_PDB_ROOT, &b->to, (struct fargs_pdb_frame){
			.return_addr = b->to.addr, .has_no_call = true,
		});
	/* The return was used as a jump. */
	return push(c, s, b, top_path(s), &b->to, (struct fargs_pdb_frame){
		.has_no_call = true, .is_jump = true,
	});
}

/* A return from a call that is not on the stack. */
static int take_orphan(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
		       const struct fargs_pdb_branch *b)
{
	bool is_from_kernel = b->from.addr >> 63, is_to_kernel = b->to.addr >> 63;
	int ret = 0;

	if (!is_from_kernel || !is_to_kernel)
		ret = leave_kernel(c, s, b);
	if (ret)
		return ret;
	if (is_from_kernel && !is_to_kernel && !s->nr)
		return push(c, s, b, FARGS_PDB_ROOT, &b->to, (struct fargs_pdb_frame){
			.has_no_call = true,
		});
	if (fargs_pdb_path(c->places, top_path(s))->symbol == b->from.symbol)
		return return_elsewhere(c, s, b);
	/* The innermost call made that of b->to, which made that of b->from. */
	ret = push(c, s, b, top_path(s), &b->to, (struct fargs_pdb_frame){
		.return_addr = b->to.addr, .has_no_call = true,
	});
	if (!ret)
		ret = push(c, s, b, top_path(s), &b->from, (struct fargs_pdb_frame){
			.return_addr = b->from.addr, .has_no_call = true,
		});
	return ret ? ret : pop(c, s, b, false);
}

static int take_return(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
		       const struct fargs_pdb_branch *b, bool is_retpoline)
{
	int ret;

	/* A return to user space that is not traced leaves the kernel, too. */
	if (!b->to.addr && b->flags & (FARGS_BRANCH_SYSCALLRET | FARGS_BRANCH_INTERRUPT))
		return leave_kernel(c, s, b);
	if (!b->from.addr || !b->to.addr)
		return 0;
	if (is_retpoline && s->nr > 2 && fargs_pdb_stack_top(s)->return_addr != b->to.addr)
		return take_retpoline(c, s, b);
	ret = pop_returned(c, s, b);
	return ret == 1 ? take_orphan(c, s, b) : ret;
}

/* The call in which the trace ended has returned. */
static int take_trace_begin(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
			    const struct fargs_pdb_branch *b)
{
	return s->nr && fargs_pdb_stack_top(s)->ends_trace ? pop(c, s, b, false) : 0;
}

/* What runs while there is no trace is a call of something unknown. */
static int take_trace_end(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
			  const struct fargs_pdb_branch *b)
{
	const struct fargs_pdb_place unknown = { };

	if (!s->nr || (s->nr == 1 && s->frames[0].sample == b->sample))
		return 0;
	return push(c, s, b, top_path(s), &unknown, (struct fargs_pdb_frame){
		.return_addr = b->from.addr + b->insn_bytes, .ends_trace = true,
	});
}

/* A jump to the begin of another function: that one returns for both. */
static int take_jump(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
		     const struct fargs_pdb_branch *b)
{
	if (!b->to.is_begin || b->to.symbol == b->from.symbol)
		return 0;
	return push(c, s, b, top_path(s), &b->to, (struct fargs_pdb_frame){ .is_jump = true });
}

/*
 * Closes the calls of another piece of the trace, and of the program before an exec; and all of a
 * stack that is deeper than any, which only functions that never return make.
 */
static int leave_others(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
			const struct fargs_pdb_branch *b)
{
	bool is_exec = s->task.comm != b->task.comm && b->is_leader;
	int ret = 0;

	if (s->piece != b->piece || is_exec || s->nr >= FARGS_PDB_DEPTH_MAX)
		ret = fargs_pdb_stack_flush(c, s);
	s->piece = b->piece;
	if (is_exec)
		s->task.comm = b->task.comm;
	return ret;
}

static int take_branch(struct fargs_pdb_calls *c, struct fargs_pdb_stack *s,
		       const struct fargs_pdb_branch *b)
{
	bool is_retpoline = s->is_retpoline;

	s->is_retpoline = false;
	if (b->flags & FARGS_BRANCH_CALL)
		return take_call(c, s, b, is_retpoline);
	if (b->flags & FARGS_BRANCH_RETURN)
		return take_return(c, s, b, is_retpoline);
	if (b->flags & FARGS_BRANCH_TRACE_BEGIN)
		return take_trace_begin(c, s, b);
	if (b->flags & FARGS_BRANCH_TRACE_END)
		return take_trace_end(c, s, b);
	return b->flags & FARGS_BRANCH_ANY ? take_jump(c, s, b) : 0;
}

int fargs_pdb_calls_take(struct fargs_pdb_calls *c, const struct fargs_pdb_branch *b)
{
	struct fargs_pdb_stack *s = get_stack(c, b);
	int ret;

	if (!s)
		return -ENOMEM;
	ret = leave_others(c, s, b);
	if (!ret && !s->nr)
		ret = push_first(c, s, b);
	if (ret)
		return ret;
	s->counts.nr_branches++;
	s->counts.nr_insns += b->nr_insns;
	s->counts.nr_cycles += b->nr_cycles;
	s->last_ns = b->ns;
	return take_branch(c, s, b);
}

int fargs_pdb_calls_finish(struct fargs_pdb_calls *c)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < c->nr_stacks && !ret; i++)
		ret = fargs_pdb_stack_flush(c, c->stacks[i]);
	return ret;
}
