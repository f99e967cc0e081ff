// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/calls/calls.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "source/pt/code/insn.h"
#include "source/pt/input/switches.h"

/* A task's stack, kept while the task does not run. Each CPU's idle task has its own. */
struct fargs_pt_task {
	int64_t key;
	struct fargs_pt_stack stack;
};

struct fargs_pt_calls *fargs_pt_calls_create(const struct fargs_pt_input *in,
					     const struct fargs_pt_calls_options *options)
{
	struct fargs_pt_calls *c = calloc(1, sizeof(*c));
	size_t i;

	if (!c)
		return NULL;
	c->in = in;
	c->options = *options;
	c->has_records = options->bounds && fargs_pt_bounds_have_records(options->bounds);
	c->has_simple_calls = !options->is_hidden && !options->roots;
	c->is_unsure = in->nr_lost_records || in->aux.nr_partial || in->aux.nr_collisions;
	c->names = fargs_pt_names_create(in);
	c->cache = calloc(1, sizeof(*c->cache));
	c->cursors = calloc(in->nr_streams + 1, sizeof(*c->cursors));
	if (!c->names || !c->cache || !c->cursors) {
		fargs_pt_calls_destroy(c);
		return NULL;
	}
	fargs_pt_names_note_begins(c->names);
	for (i = 0; i < in->nr_streams; i++)
		c->cursors[i].context.in = in;
	return c;
}

void fargs_pt_calls_destroy(struct fargs_pt_calls *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->nr_tasks; i++) {
		fargs_pt_stack_deinit(&c->tasks[i]->stack);
		free(c->tasks[i]);
	}
	fargs_hash_deinit(&c->by_key);
	free(c->tasks);
	fargs_pt_names_destroy(c->names);
	free(c->cache);
	free(c->cursors);
	free(c);
}

const struct fargs_pt_calls_counts *fargs_pt_calls_counts(const struct fargs_pt_calls *c)
{
	return &c->counts;
}

uint64_t fargs_pt_calls_nr_nodes(const struct fargs_pt_calls *c)
{
	return c->nr_nodes;
}

const struct fargs_pt_names *fargs_pt_calls_names(const struct fargs_pt_calls *c)
{
	return c->names;
}

void fargs_pt_calls_set_context(struct fargs_pt_call_cursor *l, uint64_t tsc)
{
	l->tsc = tsc;
	l->has_context = true;
	fargs_pt_context_set(&l->context, l->part, l->switched.nr, tsc);
}

/*
 * Finds or adds task @tid. Idle tasks and unknown tasks (@tid <= 0) are identified by their CPU.
 * Returns NULL if out of memory.
 */
static struct fargs_pt_task *find_task(struct fargs_pt_calls *c, const struct fargs_pt_stream *s,
				       int32_t tid)
{
	int64_t key = tid > 0 ? tid : -1 - (int64_t)s->cpu;
	uint32_t hash = fargs_hash_u64(key), at, i;
	struct fargs_pt_task *task, **to;

	fargs_hash_for_each(i, at, &c->by_key, hash)
		if (c->tasks[i]->key == key)
			return c->tasks[i];
	if (fargs_hash_reserve(&c->by_key, c->nr_tasks + 1))
		return NULL;
	task = calloc(1, sizeof(*task));
	to = task ? fargs_array_add(c->tasks, c->nr_tasks) : NULL;
	if (!to) {
		free(task);
		return NULL;
	}
	*to = task;
	task->key = key;
	task->stack.nr_nodes = &c->nr_nodes;
	fargs_hash_add(&c->by_key, hash, c->nr_tasks - 1);
	return task;
}

static int switch_task(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l)
{
	int32_t tid = fargs_pt_switches_task(l->part->switches, l->switched.nr);
	struct fargs_pt_task *task = find_task(c, l->part->seg->stream, tid);

	if (!task)
		return -ENOMEM;
	l->stack = &task->stack;
	l->has_context = false;
	l->run = ++c->nr_runs;
	l->stack->epoch = l->run;
	return 0;
}

/* Handles a possible change of the task. Called at each item after which another task may run. */
static int change_task(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
		       const struct fargs_pt_item *item)
{
	const struct fargs_pt_part *part = l->part;

	if (!fargs_pt_count_take(&l->switched, &part->switched, &part->flow,
				 item - part->flow.items))
		return 0;
	/* If @item is not a switch, tasks that are not in the trace may have run before it. */
	c->is_unsure |= item->kind != FARGS_PT_SWITCH;
	return switch_task(c, l);
}

struct fargs_pt_call_cursor *fargs_pt_calls_cursor(struct fargs_pt_calls *c,
						   const struct fargs_pt_part *part, size_t begin)
{
	struct fargs_pt_call_cursor *l = &c->cursors[part->seg->stream - c->in->streams];
	size_t nr = l->switched.nr;

	if (l->part == part && begin)
		return l;
	/* Another task may run after a gap between two parts. */
	l->part = part;
	l->has_context = false;
	l->context.is_guest = false;
	fargs_pt_count_begin(&l->switched, &part->switched);
	if (l->stack && nr == l->switched.nr)
		return l;
	c->is_unsure |= !!l->stack;
	return switch_task(c, l) ? NULL : l;
}

bool fargs_pt_calls_is_hole(const struct fargs_pt_call_cursor *l, const struct fargs_pt_item *item)
{
	if (item->kind == FARGS_PT_BRANCH)
		return false;
	if (item->kind == FARGS_PT_BEGIN)
		return item->flags & FARGS_PT_WAS_ON &&
		       (!(item->flags & FARGS_PT_CONTINUES) || l->part->is_broken_off);
	return item->kind == FARGS_PT_END || fargs_pt_item_is_error(item);
}

uint32_t fargs_pt_calls_trusted(const struct fargs_pt_calls *c,
				const struct fargs_pt_call_cursor *l)
{
	return c->is_unsure || c->nr_off ? l->run : 0;
}

uint32_t fargs_pt_calls_begin_epoch(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l)
{
	l->stack->epoch = ++c->nr_runs;
	return l->stack->epoch;
}

/*
 * Checks whether tasks may have been switched while the trace was disabled. Called after the trace
 * was enabled again, for instance by an interrupt handler that replaces a full buffer. If the
 * kernel recorded no task switch while the trace was disabled, there was none.
 */
static void check_off(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l, uint64_t tsc)
{
	const struct fargs_pt_switches *sw = l->part->switches;
	uint64_t error = fargs_pt_flow_error(&c->in->config), from;

	l->is_off = false;
	c->nr_off--;
	from = l->off_tsc > error ? l->off_tsc - error : 0;
	if (!c->in->config.has_time || error == UINT64_MAX ||
	    fargs_pt_switches_at(sw, fargs_pt_input_ns(&c->in->config, from)) !=
	    fargs_pt_switches_at(sw, fargs_pt_input_ns(&c->in->config, tsc + error)))
		c->is_unsure = true;
}

static void follow_off(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
		       const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_END:
		c->nr_off += !l->is_off;
		if (!l->is_off)
			l->off_tsc = item->flags & FARGS_PT_VAGUE ? 0 : item->tsc;
		l->is_off = true;
		l->is_on_again = false;
		break;
	case FARGS_PT_BEGIN:
		l->is_on_again = true;
		l->nr_ticks = 0;
		break;
	case FARGS_PT_TICK:
		/* Wait for the second FARGS_PT_TICK: the time of the first one may be too early. */
		if (l->is_off && l->is_on_again && ++l->nr_ticks == 2)
			check_off(c, l, item->to);
		break;
	}
}

/*
 * Processes an item that is not a branch: records gaps in the trace, and whether the trace is
 * disabled.
 */
static void follow_trace(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
			 const struct fargs_pt_item *item)
{
	follow_off(c, l, item);
	if (!fargs_pt_calls_is_hole(l, item))
		return;
	/* Tasks may have been switched in the gap. */
	c->is_unsure |= fargs_pt_item_is_error(item);
	l->hole_node = c->nr_nodes;
}

/*
 * Returns the time bounds of @item or, if @is_call, of the point right before the last call. While
 * a tracer's code is on the stack, times of records are not used as bounds: an interrupt of that
 * code may run before the TSC is read for the record.
 */
static struct fargs_pt_time_bounds time_bounds_of(const struct fargs_pt_calls *c,
						  const struct fargs_pt_call_cursor *l,
						  const struct fargs_pt_item *item, bool is_call)
{
	struct fargs_pt_time_bounds time_bounds = fargs_pt_bounds_from_trace(c->options.bounds,
									     item->tsc);
	const struct fargs_pt_stack *stack = l->stack;
	size_t i;

	if (item->flags & FARGS_PT_VAGUE)
		time_bounds = FARGS_PT_TIME_UNKNOWN;
	if (!c->has_records)
		return time_bounds;
	for (i = 0; i < stack->nr; i++)
		if (stack->frames[i].is_tracer || stack->frames[i].is_hidden ||
		    stack->frames[i].is_ftrace)
			return time_bounds;
	fargs_pt_bounds_tighten(c->options.bounds, l - c->cursors, l->hole_node,
				c->nr_nodes - is_call, &time_bounds);
	return time_bounds;
}

bool fargs_pt_calls_duration(const struct fargs_pt_calls *c, const struct fargs_pt_call_cursor *l,
			     const struct fargs_pt_item *item, const struct fargs_pt_frame *frame,
			     uint64_t *least_ns, uint64_t *most_ns)
{
	struct fargs_pt_time_bounds now;

	if (!c->options.bounds || frame->kind == FARGS_PT_FRAME_BASE ||
	    frame->epoch < fargs_pt_calls_trusted(c, l))
		return false;
	now = time_bounds_of(c, l, item, false);
	return fargs_pt_bounds_between(c->options.bounds, &frame->entered, &now, least_ns,
				       most_ns);
}

static void look_at(struct fargs_pt_calls *c, const struct fargs_pt_item *item,
		    struct fargs_pt_context *context, struct fargs_pt_target *to)
{
	const struct fargs_pt_name *name;

	*to = (struct fargs_pt_target){ };
	if (c->options.is_hidden)
		to->is_hidden = c->options.is_hidden(c->options.arg, c->nr_nodes + 1);
	if (!item->to)
		return;
	name = fargs_pt_calls_name(c, context, item->to);
	to->is_ftrace = item->insn == FARGS_PT_INSN_CALL && name->kinds & FARGS_PT_NAME_FTRACE;
	if (!name->name)
		return;
	to->func = name->addr;
	to->is_tracer = to->func && name->kinds & FARGS_PT_NAME_TRACER;
	to->is_root = c->options.roots && fargs_pt_funcs_has(c->options.roots, name);
	if (name->addr != item->to || name->kinds & FARGS_PT_NAME_PART)
		return;
	to->is_begin = true;
	to->is_thunk = name->kinds & FARGS_PT_NAME_THUNK;
	to->is_hook = item->insn == FARGS_PT_INSN_RETURN && name->kinds & FARGS_PT_NAME_HOOK;
	if ((item->insn == FARGS_PT_INSN_JUMP || item->insn == FARGS_PT_INSN_COND) &&
	    item->from >= item->to)
		to->is_own = fargs_pt_calls_name(c, context, item->from)->addr ==
			     item->to;
}

/*
 * Handles task switches at an item that is not a branch. Returns 1 if the item is relevant to the
 * stack or is a gap, 0 if not, or -ENOMEM.
 */
static int prepare_item(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
			const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_SWITCH:
		return change_task(c, l, item);
	case FARGS_PT_OVERFLOW:
		if (change_task(c, l, item))
			return -ENOMEM;
		break;
	case FARGS_PT_BEGIN:
		if (change_task(c, l, item))
			return -ENOMEM;
		if (item->flags & FARGS_PT_CONTINUES && !l->part->is_broken_off)
			return 0;
		break;
	case FARGS_PT_PTWRITE:
		return 0;
	case FARGS_PT_VM:
		fargs_pt_context_take_vm(&l->context, item);
		l->has_context = false;
		return item->to != 0;
	}
	c->counts.errors += fargs_pt_item_is_error(item);
	return 1;
}

int fargs_pt_calls_enter(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
			 const struct fargs_pt_item *item, struct fargs_pt_step *step)
{
	struct fargs_pt_target to;

	look_at(c, item, fargs_pt_calls_context(l, item->tsc), &to);
	return fargs_pt_stack_take(l->stack, item, &to, step);
}

void fargs_pt_calls_set_entered(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
				const struct fargs_pt_item *item)
{
	l->stack->frames[l->stack->nr - 1].entered = time_bounds_of(c, l, item, true);
}

int fargs_pt_calls_step(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
			const struct fargs_pt_item *item, struct fargs_pt_step *step)
{
	int ret;

	if (item->kind != FARGS_PT_BRANCH) {
		step->kind = FARGS_PT_STEP_NONE;
		l->was_tracer = false;
		ret = prepare_item(c, l, item);
		if (ret <= 0 || item->kind == FARGS_PT_SITE || item->kind == FARGS_PT_TICK)
			return ret;
	}
	l->was_tracer = l->stack->nr && l->stack->frames[l->stack->nr - 1].is_tracer;
	return fargs_pt_calls_step_over(c, l, item, step) ? -ENOMEM : 1;
}

void fargs_pt_calls_settle(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
			   const struct fargs_pt_item *item, const struct fargs_pt_step *step)
{
	if (item->kind != FARGS_PT_BRANCH)
		follow_trace(c, l, item);
	fargs_pt_calls_count(c, l, item, step);
}

int fargs_pt_calls_take_other(struct fargs_pt_calls *c, struct fargs_pt_call_cursor *l,
			      const struct fargs_pt_item *item, struct fargs_pt_step *step)
{
	int ret = fargs_pt_calls_step(c, l, item, step);

	if (ret > 0)
		fargs_pt_calls_settle(c, l, item, step);
	return ret < 0 ? ret : 0;
}
