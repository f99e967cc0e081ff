// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/roots.h"

/* Maximum number of frames that are searched from the top for the root. */
#define WALK_MAX	24

bool fargs_pt_root_is_fentry(const struct fargs_pt_stack *stack, size_t i)
{
	uint64_t bytes;

	if (!i || !stack->frames[i].is_ftrace)
		return false;
	bytes = stack->frames[i].from - stack->frames[i - 1].addr;
	return bytes == 0 || bytes == FARGS_PT_ENDBR_BYTES;
}

void fargs_pt_root_find(struct fargs_pt_root *root, const struct fargs_meta *meta,
			const struct fargs_pt_stack *stack)
{
	size_t top = stack->nr - 1, i;

	for (i = top; i && stack->frames[i - 1].is_tracer; i--)
		;
	*root = (struct fargs_pt_root){ .kind = FARGS_PT_ROOT_DIRECT, .frame = i, .entered = i };
	for (i = top; top - i < WALK_MAX; i--) {
		const struct fargs_pt_frame *frame = &stack->frames[i];

		if (i < root->entered && frame->is_tracer)
			root->is_inside = true;
		if (frame->is_hook || fargs_pt_root_is_fentry(stack, i) ||
		    (frame->is_ftrace && fargs_meta_func(meta, frame->from, UINT64_MAX))) {
			root->kind = frame->is_hook ? FARGS_PT_ROOT_HOOK : FARGS_PT_ROOT_FENTRY;
			root->frame = i;
			return;
		}
		if (!i || frame->kind == FARGS_PT_FRAME_INTERRUPT)
			return;
	}
}

uint64_t fargs_pt_root_key(const struct fargs_pt_root *root, const struct fargs_pt_stack *stack)
{
	if (root->kind == FARGS_PT_ROOT_DIRECT)
		return root->frame ? stack->frames[root->frame - 1].node : 0;
	return stack->frames[root->frame].node;
}
