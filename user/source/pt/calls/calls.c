// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/calls/calls.h"

#include <errno.h>
#include <stdlib.h>

#include "base/put.h"
#include "sink/text/text.h"
#include "source/pt/decode/insn.h"
#include "source/pt/decode/line.h"
#include "source/pt/calls/moments.h"
#include "source/pt/decode/names.h"
#include "source/pt/calls/stack.h"
#include "source/pt/input/switches.h"

#define INDENT	2

/* A task's stack stays while it runs nowhere. Those of idle tasks are of a CPU. */
struct task {
	int64_t key;
	struct fargs_pt_stack stack;
	struct task *next;	/* with the same hash */
};

#define NR_BUCKETS	1024

/* Where a stream is. */
struct lane {
	struct task *task;	/* NULL: not begun yet */
	const struct fargs_pt_part *part;
	struct fargs_pt_count switched;
	uint64_t tsc;
	struct fargs_pt_line line;
	bool has_line;
	bool is_wanted;		/* is that of its time, and of its CPU? */
	uint32_t run;		/* of its task, from one switch to the next */
	uint64_t hole_node;	/* calls up to there are in front of the last hole */
	/* The trace was off since, and so short that no task was switched, if is_off is unset: */
	uint64_t off_tsc;
	bool is_off;
	bool is_on_again;
	unsigned int nr_ticks;	/* since it is on again */
};

struct fargs_pt_calls {
	const struct fargs_pt_input *in;
	const struct fargs_pt_calls_options *options;
	struct fargs_pt_names *names;
	struct fargs_pt_names_cache *cache;
	struct lane *lanes;	/* by stream */
	struct fargs_pt_moments *moments;	/* NULL: nobody asks for durations */
	struct task *tasks[NR_BUCKETS];
	struct fargs_pt_calls_counts counts;
	uint64_t nr_nodes;
	uint32_t nr_runs;
	unsigned int nr_off;	/* lanes that are */
	bool is_unsure;		/* which tasks run: something of the switches may be missing */
};

/* When records were made at calls. Those of returns may have their number from before. */
static int learn_moments(struct fargs_pt_calls *c)
{
	const struct fargs_pt_joined *all;
	size_t nr, i;

	c->moments = fargs_pt_moments_create(c->in);
	if (!c->moments)
		return -ENOMEM;
	nr = c->options->join ? fargs_pt_join_all(c->options->join, &all) : 0;
	for (i = 0; i < nr; i++)
		if (all[i].rec->kind != FARGS_KIND_RETURN &&
		    fargs_pt_moments_add(c->moments, all[i].cpu, all[i].nr_nodes,
					 all[i].rec->tsc))
			return -ENOMEM;
	fargs_pt_moments_finish(c->moments);
	return 0;
}

struct fargs_pt_calls *fargs_pt_calls_create(const struct fargs_pt_input *in,
					     const struct fargs_pt_calls_options *options)
{
	struct fargs_pt_calls *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->in = in;
	c->options = options;
	c->is_unsure = in->nr_lost_records;
	c->names = fargs_pt_names_create(in);
	c->cache = calloc(1, sizeof(*c->cache));
	c->lanes = calloc(in->nr_streams + 1, sizeof(*c->lanes));
	if (!c->names || !c->cache || !c->lanes ||
	    (options->has_returns && !options->is_learning && learn_moments(c))) {
		fargs_pt_calls_destroy(c);
		return NULL;
	}
	return c;
}

void fargs_pt_calls_destroy(struct fargs_pt_calls *c)
{
	struct task *task, *next;
	size_t i;

	if (!c)
		return;
	for (i = 0; i < NR_BUCKETS; i++) {
		for (task = c->tasks[i]; task; task = next) {
			next = task->next;
			fargs_pt_stack_deinit(&task->stack);
			free(task);
		}
	}
	fargs_pt_names_destroy(c->names);
	fargs_pt_moments_destroy(c->moments);
	free(c->cache);
	free(c->lanes);
	free(c);
}

/* Of a CPU, too, are those of tasks that nobody knows. NULL: no memory. */
static struct task *find_task(struct fargs_pt_calls *c, const struct fargs_pt_stream *s,
			      int32_t tid)
{
	int64_t key = tid > 0 ? tid : -1 - (int64_t)s->cpu;
	struct task **bucket = &c->tasks[(uint64_t)key % NR_BUCKETS], *task;

	for (task = *bucket; task; task = task->next)
		if (task->key == key)
			return task;
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->key = key;
	task->stack.nr_nodes = &c->nr_nodes;
	task->next = *bucket;
	*bucket = task;
	return task;
}

static bool is_wanted(const struct fargs_pt_calls *c, const struct lane *l)
{
	if (c->options->is_learning ||
	    (c->options->is_one_cpu && l->part->seg->stream->cpu != c->options->cpu))
		return false;
	return !l->line.has_time || fargs_time_window_has(&c->options->window, l->line.ns);
}

static __attribute__((noinline)) void set_new_line(const struct fargs_pt_calls *c, struct lane *l,
						   uint64_t tsc)
{
	l->tsc = tsc;
	l->has_line = true;
	l->line.in = c->in;
	fargs_pt_line_set(&l->line, l->part, l->switched.nr, tsc);
	l->is_wanted = is_wanted(c, l);
}

/* The time of a line, and whose it is: the same for many. */
static inline void set_line(const struct fargs_pt_calls *c, struct lane *l, uint64_t tsc)
{
	if (!l->has_line || l->tsc != tsc)
		set_new_line(c, l, tsc);
}

static inline const struct fargs_pt_name *name_of(struct fargs_pt_calls *c, uint64_t addr,
						  uint64_t ns)
{
	return fargs_pt_names_get(c->names, c->cache, addr, ns);
}

static void look_at(struct fargs_pt_calls *c, const struct fargs_pt_item *item, uint64_t ns,
		    struct fargs_pt_target *to)
{
	const struct fargs_pt_name *name;

	*to = (struct fargs_pt_target){ };
	if (c->options->join && !c->options->is_learning && !c->options->has_tracer)
		to->is_hidden = fargs_pt_join_is_hidden(c->options->join, c->nr_nodes + 1);
	if (!item->to)
		return;
	name = name_of(c, item->to, ns);
	to->is_ftrace = item->insn == FARGS_PT_INSN_CALL && name->kinds & FARGS_PT_NAME_FTRACE;
	if (!name->name)
		return;
	to->func = name->addr;
	to->is_tracer = to->func && name->kinds & FARGS_PT_NAME_TRACER;
	to->is_root = c->options->roots && fargs_pt_funcs_has(c->options->roots, name);
	if (name->addr != item->to || name->kinds & FARGS_PT_NAME_PART)
		return;
	to->is_begin = true;
	to->is_thunk = name->kinds & FARGS_PT_NAME_THUNK;
	to->is_hook = item->insn == FARGS_PT_INSN_RETURN && name->kinds & FARGS_PT_NAME_HOOK;
	if ((item->insn == FARGS_PT_INSN_JUMP || item->insn == FARGS_PT_INSN_COND) &&
	    item->from >= item->to)
		to->is_own = name_of(c, item->from, ns)->addr == item->to;
}

static const char *word_of(const struct fargs_pt_item *item, const struct fargs_pt_step *step)
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

static void put_name(struct fargs_pt_calls *c, struct fargs_buf *out, uint64_t addr, uint64_t ns)
{
	const struct fargs_pt_name *name = name_of(c, addr, ns);

	if (!name->name) {
		fargs_put_hex(out, addr);
		return;
	}
	fargs_put_escaped(out, name->name, strlen(name->name), NULL);
	/* In its middle, where the trace begins. */
	if (addr != name->addr) {
		fargs_put_char(out, '+');
		fargs_put_hex(out, addr - name->addr);
	}
	if (name->module) {
		fargs_put(out, " [");
		fargs_put_escaped(out, name->module, strlen(name->module), NULL);
		fargs_put_char(out, ']');
	}
}

static void put_front(struct fargs_pt_calls *c, struct lane *l, const char *word,
		      unsigned int depth, struct fargs_buf *out)
{
	fargs_pt_line_head(out, &l->line);
	if (c->options->has_returns) {
		fargs_put(out, word);
		fargs_buf_fill(out, ' ', 9 - strlen(word));
	}
	fargs_buf_fill(out, ' ', (size_t)INDENT * depth);
}

static void put_us(struct fargs_buf *out, uint64_t ns)
{
	fargs_put_u64(out, ns / 1000, 0, ' ');
	fargs_put_char(out, '.');
	fargs_put_u64(out, ns % 1000, 3, '0');
}

static void put_result(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev)
{
	fargs_text_result(out, d, ev);
	if (!ev->has_duration)
		return;
	fargs_put(out, " (");
	fargs_text_duration(out, ev, 0);
	fargs_put_char(out, ')');
}

/*
 * Now, or, of the call that was the last one to come, right in front of it. What interrupts our
 * code may be in front of the time that this takes for a record.
 */
static struct fargs_pt_moment moment_of(const struct fargs_pt_calls *c, const struct lane *l,
					const struct fargs_pt_item *item, bool is_call)
{
	const struct fargs_pt_stack *stack = &l->task->stack;
	struct fargs_pt_moment moment = fargs_pt_moments_told(c->moments, item->tsc);
	size_t i;

	if (!c->options->join)
		return moment;
	for (i = 0; i < stack->nr; i++)
		if (stack->frames[i].is_tracer || stack->frames[i].is_hidden ||
		    stack->frames[i].is_ftrace)
			return moment;
	fargs_pt_moments_bound(c->moments, l - c->lanes, l->hole_node, c->nr_nodes - is_call,
			       &moment);
	return moment;
}

/* Does a record know how long it took? */
static bool has_result(const struct fargs_pt_calls *c, const struct fargs_pt_frame *frame)
{
	const struct fargs_pt_joined *joined;
	size_t nr = 0, i;

	if (c->options->join)
		nr = fargs_pt_join_find(c->options->join, frame->node, &joined);
	for (i = 0; i < nr; i++)
		if (joined[i].rec->kind == FARGS_KIND_RETURN)
			return true;
	return false;
}

/* How long a call took that returns now, if that is known, and it is sure to be this task's. */
static void put_span(const struct fargs_pt_calls *c, const struct lane *l,
		     const struct fargs_pt_item *item, const struct fargs_pt_frame *frame,
		     struct fargs_buf *out)
{
	struct fargs_pt_moment now;
	uint64_t least_ns, most_ns;

	if (frame->kind == FARGS_PT_FRAME_BASE || has_result(c, frame) ||
	    ((c->is_unsure || c->nr_off) && frame->epoch < l->run))
		return;
	now = moment_of(c, l, item, false);
	if (!fargs_pt_moments_between(c->moments, &frame->entered, &now, &least_ns, &most_ns))
		return;
	fargs_put(out, " (");
	put_us(out, least_ns);
	fargs_put(out, "..");
	put_us(out, most_ns);
	fargs_put(out, " us)");
}

/*
 * A call with what its records tell, and what it returned, if that has no line of its own; or
 * (@is_return) a return. -ENOMEM.
 */
static int put_joined(struct fargs_pt_calls *c, const struct lane *l,
		      const struct fargs_pt_frame *frame, bool is_return, bool is_event,
		      struct fargs_buf *out)
{
	const struct fargs_pt_joined *joined;
	struct fargs_decoder *d;
	struct fargs_event ev;
	size_t nr = 0, i;
	int ret;

	if (c->options->join)
		nr = fargs_pt_join_find(c->options->join, frame->node, &joined);
	/* It has a line of its own, in front of our code. */
	if (nr && joined->rec->kind == FARGS_KIND_TPOINT && !is_event)
		nr = 0;
	if (!nr || is_return)
		put_name(c, out, frame->addr, l->line.ns);
	for (i = 0; i < nr; i++) {
		ret = fargs_pt_join_decode(c->options->join, &joined[i], &ev, &d);
		if (ret == -ENOMEM)
			return ret;
		/* One that makes no sense is counted by who verifies the file. */
		if (ret)
			continue;
		if (!i && !is_return)
			fargs_text_call(out, d, &ev);
		if (ev.kind == FARGS_KIND_RETURN && is_return == c->options->has_returns)
			put_result(out, d, &ev);
	}
	return 0;
}

static int put_step(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item,
		    const struct fargs_pt_step *step, bool is_call, struct fargs_buf *out)
{
	put_front(c, l, word_of(item, step), step->frame->depth, out);
	if (step->kind == FARGS_PT_STEP_UNSEEN)
		put_name(c, out, step->frame->addr, l->line.ns);
	else if (put_joined(c, l, step->frame, !is_call, false, out))
		return -ENOMEM;
	if (step->kind == FARGS_PT_STEP_LEFT && !(item->flags & FARGS_PT_ENDS) &&
	    item->kind == FARGS_PT_BRANCH)
		put_span(c, l, item, step->frame, out);
	fargs_put_char(out, '\n');
	return 0;
}

/* Those that jumped to what returns now return with it; what they return is in their records. */
static int put_jumped(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_step *step,
		      struct fargs_buf *out)
{
	const struct fargs_pt_stack *stack = &l->task->stack;
	struct fargs_pt_frame frame = *step->frame;
	const struct fargs_pt_joined *joined;
	const struct fargs_pt_jumped *jumped;
	size_t nr = fargs_pt_stack_jumped(stack, stack->nr, &jumped);

	while (nr--) {
		if (!fargs_pt_join_find(c->options->join, jumped[nr].node, &joined))
			continue;
		frame.addr = jumped[nr].addr;
		frame.node = jumped[nr].node;
		put_front(c, l, "return", frame.depth, out);
		if (put_joined(c, l, &frame, true, false, out))
			return -ENOMEM;
		fargs_put_char(out, '\n');
	}
	return 0;
}

static bool is_asked_for(const struct fargs_pt_calls *c, const struct fargs_pt_frame *frame)
{
	const struct fargs_pt_calls_options *o = c->options;

	return (!o->roots || frame->is_below) && (!o->depth_max || frame->depth < o->depth_max);
}

static __attribute__((noinline)) int put_lines(struct fargs_pt_calls *c, struct lane *l,
					       const struct fargs_pt_item *item,
					       const struct fargs_pt_step *step, bool is_call,
					       struct fargs_buf *out)
{
	if (put_step(c, l, item, step, is_call, out))
		return -ENOMEM;
	return c->options->join && step->kind == FARGS_PT_STEP_LEFT && step->frame->is_jumped ?
	       put_jumped(c, l, step, out) : 0;
}

static inline int show_step(struct fargs_pt_calls *c, struct lane *l,
			    const struct fargs_pt_item *item, const struct fargs_pt_step *step,
			    struct fargs_buf *out)
{
	bool is_call = step->kind == FARGS_PT_STEP_ENTERED || step->kind == FARGS_PT_STEP_JUMPED;

	if (is_call)
		c->counts.calls++;
	else if (step->kind == FARGS_PT_STEP_LEFT)
		c->counts.returns++;
	else
		c->counts.unseen++;
	if (!is_call && !c->options->has_returns)
		return 0;
	if (!is_asked_for(c, step->frame))
		return 0;
	set_line(c, l, item->tsc);
	return l->is_wanted ? put_lines(c, l, item, step, is_call, out) : 0;
}

/* A tracepoint: the probe that is called has its values, and is our own code. */
static int show_tpoint(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item,
		       struct fargs_buf *out)
{
	const struct fargs_pt_frame *top = &l->task->stack.frames[l->task->stack.nr - 1];
	const struct fargs_pt_joined *joined;

	if (!is_asked_for(c, top) ||
	    !fargs_pt_join_find(c->options->join, top->node, &joined) ||
	    joined->rec->kind != FARGS_KIND_TPOINT)
		return 0;
	set_line(c, l, item->tsc);
	if (!l->is_wanted)
		return 0;
	put_front(c, l, "event", top->depth, out);
	if (put_joined(c, l, top, false, true, out))
		return -ENOMEM;
	fargs_put_char(out, '\n');
	return 0;
}

static int switch_task(struct fargs_pt_calls *c, struct lane *l)
{
	int32_t tid = fargs_pt_switches_task(l->part->switches, l->switched.nr);

	l->task = find_task(c, l->part->seg->stream, tid);
	l->has_line = false;
	l->run = ++c->nr_runs;
	if (l->task)
		l->task->stack.epoch = l->run;
	return l->task ? 0 : -ENOMEM;
}

/* At an item behind which another task may run. */
static int change_task(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item)
{
	const struct fargs_pt_part *part = l->part;

	if (!fargs_pt_count_take(&l->switched, &part->switched, &part->flow,
				 item - part->flow.items))
		return 0;
	/* Between two tasks others may have run. */
	c->is_unsure |= item->kind != FARGS_PT_SWITCH;
	return switch_task(c, l);
}

/* Does the trace not tell what was executed, from @item or up to it? */
static bool is_hole(const struct lane *l, const struct fargs_pt_item *item)
{
	if (item->kind == FARGS_PT_BRANCH)
		return false;
	if (item->kind == FARGS_PT_BEGIN)
		return item->flags & FARGS_PT_WAS_ON &&
		       (!(item->flags & FARGS_PT_CONTINUES) || l->part->is_broken_off);
	return item->kind == FARGS_PT_END || fargs_pt_line_is_error(item);
}

/*
 * The trace was off, as it is while an interrupt reads a full buffer: that no switch has a
 * record of that time tells that there was none.
 */
static void check_off(struct fargs_pt_calls *c, struct lane *l, uint64_t tsc)
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

static void follow_off(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item)
{
	switch (item->kind) {
	case FARGS_PT_END:
		c->nr_off += !l->is_off;
		if (!l->is_off)
			l->off_tsc = item->tsc;
		l->is_off = true;
		l->is_on_again = false;
		break;
	case FARGS_PT_BEGIN:
		l->is_on_again = true;
		l->nr_ticks = 0;
		break;
	case FARGS_PT_TICK:
		/* The first one may have been told of too early. */
		if (l->is_off && l->is_on_again && ++l->nr_ticks == 2)
			check_off(c, l, item->to);
		break;
	}
}

/* Tells what was done by @item, before the tasks' stacks are used for what comes next. */
static int learn(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item,
		 enum fargs_pt_step_kind step, bool was_tracer)
{
	struct fargs_pt_sites *sites = fargs_pt_join_sites(c->options->join);
	const struct fargs_pt_site_context context = {
		.stream = l - c->lanes, .stack = &l->task->stack, .step = step,
		.trusted = c->is_unsure || c->nr_off ? l->run : 0, .was_tracer = was_tracer,
		.tid = fargs_pt_switches_task(l->part->switches, l->switched.nr),
	};

	if (is_hole(l, item)) {
		if (fargs_pt_sites_hole(sites, context.stream))
			return -ENOMEM;
		if (item->kind != FARGS_PT_BEGIN)
			return 0;
	}
	return fargs_pt_sites_take(sites, &context, item);
}

/* Of an item that is no branch: whether it hides something. */
static void follow_trace(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item)
{
	follow_off(c, l, item);
	if (!is_hole(l, item))
		return;
	/* Tasks may have been switched in it. */
	c->is_unsure |= fargs_pt_line_is_error(item);
	l->hole_node = c->nr_nodes;
}

/* What @item does to its task's stack. */
static inline int step_over(struct fargs_pt_calls *c, struct lane *l,
			    const struct fargs_pt_item *item, struct fargs_pt_step *step)
{
	struct fargs_pt_stack *stack = &l->task->stack;
	struct fargs_pt_target to;

	if (fargs_pt_stack_return(stack, item, step))
		return 0;
	set_line(c, l, item->tsc);
	look_at(c, item, l->line.ns, &to);
	return fargs_pt_stack_take(stack, item, &to, step);
}

static int take_step(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item,
		     struct fargs_buf *out)
{
	struct fargs_pt_stack *stack = &l->task->stack;
	bool was_tracer = c->options->is_learning && stack->nr &&
			  stack->frames[stack->nr - 1].is_tracer;
	uint64_t before = c->nr_nodes;
	struct fargs_pt_step step;

	if (step_over(c, l, item, &step))
		return -ENOMEM;
	if (c->options->is_learning && learn(c, l, item, step.kind, was_tracer))
		return -ENOMEM;
	if (item->kind != FARGS_PT_BRANCH)
		follow_trace(c, l, item);
	if (c->moments && (step.kind == FARGS_PT_STEP_ENTERED || step.kind == FARGS_PT_STEP_JUMPED))
		stack->frames[stack->nr - 1].entered = moment_of(c, l, item, true);
	if (c->options->join && !c->options->is_learning && c->nr_nodes != before &&
	    stack->frames[stack->nr - 1].is_tracer && show_tpoint(c, l, item, out))
		return -ENOMEM;
	return step.kind == FARGS_PT_STEP_NONE ? 0 : show_step(c, l, item, &step, out);
}

/* Most are calls of functions of which nothing more is to be known. */
static inline bool is_simple_call(struct fargs_pt_calls *c, struct lane *l,
				  const struct fargs_pt_item *item)
{
	const struct fargs_pt_name *name;

	if (item->insn != FARGS_PT_INSN_CALL || item->flags & FARGS_PT_ENDS || c->options->roots)
		return false;
	set_line(c, l, item->tsc);
	name = name_of(c, item->to, l->line.ns);
	return name->addr == item->to && !name->kinds;
}

/* Where nothing is asked for but the calls, and what returns. */
static inline int take_branch(struct fargs_pt_calls *c, struct lane *l,
			      const struct fargs_pt_item *item, struct fargs_buf *out)
{
	struct fargs_pt_step step;
	int ret;

	ret = is_simple_call(c, l, item) ? fargs_pt_stack_call(&l->task->stack, item, &step) :
					   step_over(c, l, item, &step);
	if (ret)
		return ret;
	return step.kind == FARGS_PT_STEP_NONE ? 0 : show_step(c, l, item, &step, out);
}

/* Of one that is no branch, or where more is asked for. */
static int take_item(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item,
		     struct fargs_buf *out)
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
	case FARGS_PT_SITE:
	case FARGS_PT_TICK:
		if (c->options->is_learning && learn(c, l, item, FARGS_PT_STEP_NONE, false))
			return -ENOMEM;
		follow_off(c, l, item);
		return 0;
	case FARGS_PT_PTWRITE:
		return 0;
	}
	if (item->kind != FARGS_PT_BRANCH &&
	    (fargs_pt_line_is_error(item) || item->kind == FARGS_PT_POKED)) {
		c->counts.errors += item->kind != FARGS_PT_POKED;
		set_line(c, l, item->tsc);
		if (l->is_wanted)
			fargs_pt_line_error(out, &l->line, item);
	}
	return take_step(c, l, item, out);
}

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	struct fargs_pt_calls *c = arg;
	struct lane *l = &c->lanes[part->seg->stream - c->in->streams];
	bool is_plain = !c->moments && !c->options->join;
	size_t nr, i;

	if (l->part != part || !begin) {
		/* Where a gap was mended, other tasks may run than were left. */
		l->part = part;
		l->has_line = false;
		nr = l->switched.nr;
		fargs_pt_count_begin(&l->switched, &part->switched);
		if (!l->task || nr != l->switched.nr) {
			c->is_unsure |= l->task != NULL;
			if (switch_task(c, l))
				return -ENOMEM;
		}
	}
	for (i = begin; i < end; i++) {
		const struct fargs_pt_item *item = &part->flow.items[i];

		if (is_plain && item->kind == FARGS_PT_BRANCH ? take_branch(c, l, item, out) :
								take_item(c, l, item, out))
			return -ENOMEM;
	}
	return 0;
}

struct fargs_pt_view fargs_pt_calls_view(struct fargs_pt_calls *c)
{
	return (struct fargs_pt_view){ .arg = c, .begins = c->names, .take = take_items };
}

const struct fargs_pt_calls_counts *fargs_pt_calls_counts(const struct fargs_pt_calls *c)
{
	return &c->counts;
}

uint64_t fargs_pt_calls_nr_nodes(const struct fargs_pt_calls *c)
{
	return c->nr_nodes;
}
