// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/shown.h"

#include <errno.h>

static bool is_hidden(void *arg, uint64_t node)
{
	return fargs_pt_join_is_hidden(arg, node);
}

int fargs_pt_shown_init(struct fargs_pt_shown *s, const struct fargs_pt_input *in,
			const struct fargs_pt_shown_options *options,
			const struct fargs_pt_shown_ops *ops, void *arg)
{
	struct fargs_pt_calls_options wanted = { .roots = options->roots };

	*s = (struct fargs_pt_shown){ .options = options, .ops = ops, .arg = arg };
	if (options->join && !options->has_tracer) {
		wanted.is_hidden = is_hidden;
		wanted.arg = options->join;
	}
	if (options->has_returns) {
		s->bounds = fargs_pt_bounds_create(in);
		if (!s->bounds ||
		    (options->join && fargs_pt_join_add_bounds(options->join, s->bounds)))
			return -ENOMEM;
		fargs_pt_bounds_finish(s->bounds);
		wanted.bounds = s->bounds;
	}
	s->calls = fargs_pt_calls_create(in, &wanted);
	return s->calls ? 0 : -ENOMEM;
}

void fargs_pt_shown_deinit(struct fargs_pt_shown *s)
{
	fargs_pt_calls_destroy(s->calls);
	fargs_pt_bounds_destroy(s->bounds);
	*s = (struct fargs_pt_shown){ };
}

const char *fargs_pt_shown_word(const struct fargs_pt_item *item, const struct fargs_pt_step *step)
{
	if (item->kind == FARGS_PT_INTERRUPT)
		return item->flags & FARGS_PT_ABORTS ? "tx abrt" : "hw int";
	if (item->kind == FARGS_PT_BEGIN)
		return "tr strt";
	if (item->kind == FARGS_PT_OVERFLOW)
		return "overflow";
	if (item->flags & FARGS_PT_ENDS || item->kind == FARGS_PT_END)
		return "tr end";
	switch (step->kind) {
	case FARGS_PT_STEP_ENTERED:
		return "call";
	case FARGS_PT_STEP_JUMPED:
		return "jmp";
	default:
		return item->insn == FARGS_PT_INSN_IRET ? "iret" : "return";
	}
}

size_t fargs_pt_shown_joined(const struct fargs_pt_shown *s, uint64_t node,
			     const struct fargs_pt_joined **first)
{
	const struct fargs_pt_join *join = s->options->join;

	return join ? fargs_pt_join_find(join, node, first) : 0;
}

/* Does a record joined to the call contain its duration? */
static bool has_result(const struct fargs_pt_shown *s, const struct fargs_pt_frame *frame)
{
	const struct fargs_pt_joined *joined;
	size_t nr = fargs_pt_shown_joined(s, frame->node, &joined), i;

	for (i = 0; i < nr; i++)
		if (joined[i].rec->kind == FARGS_KIND_RETURN)
			return true;
	return false;
}

bool fargs_pt_shown_duration(const struct fargs_pt_shown *s,
			     struct fargs_pt_call_cursor *cursor,
			     const struct fargs_pt_item *item, const struct fargs_pt_step *step,
			     uint64_t *least_ns, uint64_t *most_ns)
{
	if (step->kind != FARGS_PT_STEP_LEFT || item->flags & FARGS_PT_ENDS ||
	    item->kind != FARGS_PT_BRANCH || has_result(s, step->frame))
		return false;
	return fargs_pt_calls_duration(s->calls, cursor, item, step->frame, least_ns, most_ns);
}

/* Calls ops->jumped() for the functions in the frame of @step that ended in a tail call. */
static int show_jumped(struct fargs_pt_shown *s, struct fargs_pt_call_cursor *cursor,
		       const struct fargs_pt_step *step)
{
	const struct fargs_pt_stack *stack = cursor->stack;
	struct fargs_pt_frame frame = *step->frame;
	const struct fargs_pt_joined *joined;
	const struct fargs_pt_jumped *jumped;
	size_t nr = fargs_pt_stack_jumped(stack, stack->nr, &jumped);
	int ret = 0;

	while (nr-- && !ret) {
		if (!fargs_pt_shown_joined(s, jumped[nr].node, &joined))
			continue;
		frame.addr = jumped[nr].addr;
		frame.node = jumped[nr].node;
		ret = s->ops->jumped(s->arg, cursor, &frame);
	}
	return ret;
}

static bool is_asked_for(const struct fargs_pt_shown *s, const struct fargs_pt_frame *frame)
{
	const struct fargs_pt_shown_options *o = s->options;

	return (!o->roots || frame->is_below) && (!o->depth_max || frame->depth < o->depth_max);
}

/*
 * Returns whether @tsc is within the time window and the cursor's CPU is selected. Also updates
 * cursor->context for the time @tsc.
 */
static inline bool is_wanted(const struct fargs_pt_shown *s, struct fargs_pt_call_cursor *cursor,
			     uint64_t tsc)
{
	const struct fargs_pt_context *context = fargs_pt_calls_context(cursor, tsc);
	const struct fargs_pt_shown_options *o = s->options;

	return (!o->cpus || fargs_id_set_allows(o->cpus, context->stream->cpu)) &&
	       (!context->has_time || fargs_time_window_has(&o->window, context->ns));
}

static inline int show_step(struct fargs_pt_shown *s, struct fargs_pt_call_cursor *cursor,
			    const struct fargs_pt_item *item, const struct fargs_pt_step *step)
{
	bool is_call = step->kind == FARGS_PT_STEP_ENTERED || step->kind == FARGS_PT_STEP_JUMPED;
	int ret;

	if (!is_call && !s->options->has_returns)
		return 0;
	if (!is_asked_for(s, step->frame) || !is_wanted(s, cursor, item->tsc))
		return 0;
	ret = s->ops->step(s->arg, cursor, item, step, is_call);
	if (ret || !s->options->join || step->kind != FARGS_PT_STEP_LEFT ||
	    !step->frame->is_jumped)
		return ret;
	return show_jumped(s, cursor, step);
}

static int show_tpoint(struct fargs_pt_shown *s, struct fargs_pt_call_cursor *cursor,
		       const struct fargs_pt_item *item)
{
	const struct fargs_pt_stack *stack = cursor->stack;
	const struct fargs_pt_frame *top = &stack->frames[stack->nr - 1];
	const struct fargs_pt_joined *joined;

	if (!top->is_tracer || !is_asked_for(s, top) ||
	    !fargs_pt_shown_joined(s, top->node, &joined) ||
	    joined->rec->kind != FARGS_KIND_TPOINT || !is_wanted(s, cursor, item->tsc))
		return 0;
	return s->ops->tpoint(s->arg, cursor, top);
}

static int show_error(struct fargs_pt_shown *s, struct fargs_pt_call_cursor *cursor,
		      const struct fargs_pt_item *item)
{
	if ((!fargs_pt_item_is_error(item) && item->kind != FARGS_PT_POKED) ||
	    !is_wanted(s, cursor, item->tsc))
		return 0;
	return s->ops->error(s->arg, cursor, item);
}

static inline int take_item(struct fargs_pt_shown *s, struct fargs_pt_call_cursor *cursor,
			    const struct fargs_pt_item *item, bool has_records)
{
	uint64_t before = has_records ? fargs_pt_calls_nr_nodes(s->calls) : 0;
	struct fargs_pt_step step;
	int ret;

	if (fargs_pt_calls_take(s->calls, cursor, item, &step))
		return -ENOMEM;
	ret = item->kind != FARGS_PT_BRANCH ? show_error(s, cursor, item) : 0;
	if (!ret && has_records && fargs_pt_calls_nr_nodes(s->calls) != before)
		ret = show_tpoint(s, cursor, item);
	return ret || step.kind == FARGS_PT_STEP_NONE ? ret : show_step(s, cursor, item, &step);
}

int fargs_pt_shown_take(struct fargs_pt_shown *s, const struct fargs_pt_part *part, size_t begin,
			size_t end)
{
	struct fargs_pt_call_cursor *cursor = fargs_pt_calls_cursor(s->calls, part, begin);
	size_t i;
	int ret;

	if (!cursor)
		return -ENOMEM;
	for (i = begin; i < end; i++) {
		s->item = i;
		ret = take_item(s, cursor, &part->flow.items[i], s->options->join);
		if (ret)
			return ret;
	}
	return 0;
}
