// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/callers.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"

void fargs_pt_callers_deinit(struct fargs_pt_callers *callers)
{
	free(callers->all);
}

/* Returns the function at @addr if its returns are recorded, else NULL. */
static const struct fargs_func *find_probed(const struct fargs_pt_callers *callers, uint64_t addr)
{
	const struct fargs_func *func = fargs_meta_func(callers->meta, addr, UINT64_MAX);

	if (!func)
		func = fargs_meta_func(callers->meta, addr + FARGS_PT_ENDBR_BYTES, UINT64_MAX);
	return func && func->addr == addr && func->layout_flags & FARGS_LAYOUT_RETURN ? func : NULL;
}

static int add_caller(struct fargs_pt_callers *callers, uint64_t ip, uint64_t node)
{
	struct fargs_pt_caller *to;

	if (callers->nr == UINT32_MAX)
		return -ENOMEM;
	to = fargs_array_push(callers->all, callers->nr, callers->room);
	if (!to)
		return -ENOMEM;
	*to = (struct fargs_pt_caller){ .ip = ip, .node = node };
	return 0;
}

/* Returns whether frame @i certainly belongs to the running task. */
static bool is_trusted(const struct fargs_pt_site_context *c, size_t i)
{
	return c->stack->frames[i].epoch >= c->trusted;
}

int fargs_pt_callers_add_returning(struct fargs_pt_callers *callers,
				   const struct fargs_pt_site_context *c, size_t hook)
{
	const struct fargs_pt_stack *stack = c->stack;
	const struct fargs_pt_jumped *jumped;
	const struct fargs_pt_frame *frame;
	const struct fargs_func *func;
	size_t nr, i, first = callers->nr;

	if (!hook || !is_trusted(c, hook - 1))
		return 0;
	frame = &stack->frames[hook - 1];
	nr = fargs_pt_stack_jumped(stack, hook - 1, &jumped);
	if (frame->kind == FARGS_PT_FRAME_BASE && !nr && !frame->is_hook) {
		/* The call of the frame was not traced, so it may be a call of any function. */
		return add_caller(callers, 0, 0) ? -ENOMEM : 1;
	}
	if (frame->kind != FARGS_PT_FRAME_CALL || !frame->is_shown || frame->is_tracer)
		return 0;
	for (i = 0; i <= nr; i++) {
		func = find_probed(callers, i < nr ? jumped[i].addr : frame->addr);
		if (func && add_caller(callers, func->ip, i < nr ? jumped[i].node : frame->node))
			return -ENOMEM;
	}
	nr = callers->nr - first;
	if (nr > UINT8_MAX) {
		callers->nr = first;
		nr = 0;
	}
	return (int)nr;
}

static bool is_probed(const struct fargs_func *func)
{
	return func->layout_flags & (FARGS_LAYOUT_RETURN | FARGS_LAYOUT_SCOPE);
}

/*
 * Adds the call of the function that has just entered fargs's code, at its entry. Returns 0, 1 if
 * the execution certainly belongs to another session, or -ENOMEM.
 */
static int add_fentry(struct fargs_pt_callers *callers, const struct fargs_pt_site_context *c,
		      const struct fargs_pt_root *root, bool is_return, struct fargs_pt_token *t)
{
	const struct fargs_pt_frame *frame = &c->stack->frames[root->frame];
	const struct fargs_func *func = fargs_meta_func(callers->meta, frame->from, UINT64_MAX);
	uint64_t node = FARGS_PT_NODE_UNKNOWN;

	if (!func || is_return != is_probed(func))
		return 1;
	if (is_return)
		t->makers = FARGS_PT_MAKES_PROBED;
	/*
	 * If this session began to trace the function only at from_tsc, an earlier execution
	 * belongs to another session.
	 */
	t->is_optional = func->from_tsc;
	t->nr_callers = 1;
	/* An interrupt returned to the function's first byte: its call, in a hole, is not shown. */
	if (fargs_pt_root_is_fentry(c->stack, root->frame))
		node = frame[-1].is_unseen ? 0 : frame[-1].node;
	return add_caller(callers, frame->from, node);
}

int fargs_pt_callers_add(struct fargs_pt_callers *callers, const struct fargs_pt_site_context *c,
			 const struct fargs_pt_root *root, size_t path, struct fargs_pt_token *t)
{
	bool is_return = path == FARGS_PATH_RETURN;
	int nr;

	t->makers = path == FARGS_PATH_TPOINT ? FARGS_PT_MAKES_TPOINT : FARGS_PT_MAKES_ENTRY;
	if (is_return)
		t->makers = FARGS_PT_MAKES_PROBED | FARGS_PT_MAKES_RETURN;
	t->is_optional = !root;
	if (!root)
		return 0;
	if (path == FARGS_PATH_TPOINT) {
		t->nr_callers = 1;
		return add_caller(callers, 0, c->stack->frames[root->entered].node);
	}
	if (root->kind == FARGS_PT_ROOT_HOOK && is_return) {
		t->makers = FARGS_PT_MAKES_RETURN;
		nr = fargs_pt_callers_add_returning(callers, c, root->frame);
		if (nr < 0)
			return nr;
		t->nr_callers = (uint8_t)nr;
		t->is_optional = !nr;
	} else if (root->kind == FARGS_PT_ROOT_FENTRY) {
		return add_fentry(callers, c, root, is_return, t);
	} else {
		t->is_optional = true;
	}
	return 0;
}
