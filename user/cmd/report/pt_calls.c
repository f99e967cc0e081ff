// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_calls.h"

#include <errno.h>
#include <stdlib.h>

#include "base/put.h"
#include "cmd/report/pt_line.h"
#include "sink/text/text.h"
#include "source/pt/decode/insn.h"

#define INDENT	2

struct fargs_pt_call_lines {
	const struct fargs_pt_call_lines_options *options;
	struct fargs_pt_bounds *bounds;	/* NULL: durations are not shown */
	struct fargs_pt_calls *calls;
};

/* State while the lines of a part are written. */
struct writer {
	const struct fargs_pt_call_lines_options *options;
	struct fargs_pt_calls *calls;
	struct fargs_pt_call_cursor *cursor;
	struct fargs_buf *out;
};

static bool is_hidden(void *arg, uint64_t node)
{
	return fargs_pt_join_is_hidden(arg, node);
}

static int set_up(struct fargs_pt_call_lines *c, const struct fargs_pt_input *in)
{
	const struct fargs_pt_call_lines_options *o = c->options;
	struct fargs_pt_calls_options wanted = { .roots = o->roots };

	if (o->join && !o->has_tracer) {
		wanted.is_hidden = is_hidden;
		wanted.arg = o->join;
	}
	if (o->has_returns) {
		c->bounds = fargs_pt_bounds_create(in);
		if (!c->bounds || (o->join && fargs_pt_join_add_bounds(o->join, c->bounds)))
			return -ENOMEM;
		fargs_pt_bounds_finish(c->bounds);
		wanted.bounds = c->bounds;
	}
	c->calls = fargs_pt_calls_create(in, &wanted);
	return c->calls ? 0 : -ENOMEM;
}

struct fargs_pt_call_lines *
fargs_pt_call_lines_create(const struct fargs_pt_input *in,
			   const struct fargs_pt_call_lines_options *options)
{
	struct fargs_pt_call_lines *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->options = options;
	if (set_up(c, in)) {
		fargs_pt_call_lines_destroy(c);
		return NULL;
	}
	return c;
}

void fargs_pt_call_lines_destroy(struct fargs_pt_call_lines *c)
{
	if (!c)
		return;
	fargs_pt_calls_destroy(c->calls);
	fargs_pt_bounds_destroy(c->bounds);
	free(c);
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

static void put_name(struct writer *w, uint64_t addr, uint64_t ns)
{
	const struct fargs_pt_name *name = fargs_pt_calls_name(w->calls, addr, ns);
	struct fargs_buf *out = w->out;

	if (!name->name) {
		fargs_put_hex(out, addr);
		return;
	}
	fargs_put_escaped(out, name->name, strlen(name->name), NULL);
	/* The trace may begin in the middle of a function. In that case, also write the offset. */
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

static void put_front(struct writer *w, const char *word, unsigned int depth)
{
	fargs_pt_put_head(w->out, &w->cursor->context);
	if (w->options->has_returns) {
		fargs_put(w->out, word);
		fargs_buf_fill(w->out, ' ', 9 - strlen(word));
	}
	fargs_buf_fill(w->out, ' ', (size_t)INDENT * depth);
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

/* Returns the number of records joined to the call @node, and sets *@first to the first of them. */
static size_t find_joined(const struct writer *w, uint64_t node,
			  const struct fargs_pt_joined **first)
{
	const struct fargs_pt_join *join = w->options->join;

	return join ? fargs_pt_join_find(join, node, first) : 0;
}

/* Does a record joined to the call contain its duration? */
static bool has_result(const struct writer *w, const struct fargs_pt_frame *frame)
{
	const struct fargs_pt_joined *joined;
	size_t nr = find_joined(w, frame->node, &joined), i;

	for (i = 0; i < nr; i++)
		if (joined[i].rec->kind == FARGS_KIND_RETURN)
			return true;
	return false;
}

/* Writes lower and upper bounds of the duration of a call that returns. */
static void put_span(struct writer *w, const struct fargs_pt_item *item,
		     const struct fargs_pt_frame *frame)
{
	uint64_t least_ns, most_ns;

	if (has_result(w, frame) ||
	    !fargs_pt_calls_duration(w->calls, w->cursor, item, frame, &least_ns, &most_ns))
		return;
	fargs_put(w->out, " (");
	put_us(w->out, least_ns);
	fargs_put(w->out, "..");
	put_us(w->out, most_ns);
	fargs_put(w->out, " us)");
}

/*
 * Writes a call with the values of its records. The return value is included unless returns have
 * their own lines. With @is_return, writes a return instead. With @is_event, writes the tracepoint
 * whose record was joined to the call. Returns 0 or -ENOMEM.
 */
static int put_joined(struct writer *w, const struct fargs_pt_frame *frame, bool is_return,
		      bool is_event)
{
	const struct fargs_pt_call_lines_options *o = w->options;
	const struct fargs_pt_joined *joined;
	struct fargs_decoder *d;
	struct fargs_event ev;
	size_t nr = find_joined(w, frame->node, &joined), i;
	int ret;

	/*
	 * The record of a tracepoint is shown in a line of its own, not in the line of fargs's
	 * probe function.
	 */
	if (nr && joined->rec->kind == FARGS_KIND_TPOINT && !is_event)
		nr = 0;
	if (!nr || is_return)
		put_name(w, frame->addr, w->cursor->context.ns);
	for (i = 0; i < nr; i++) {
		ret = fargs_pt_join_decode(o->join, &joined[i], &ev, &d);
		if (ret == -ENOMEM)
			return ret;
		/* Skip invalid records here; they are counted when the file is verified. */
		if (ret)
			continue;
		if (!i && !is_return)
			fargs_text_call(w->out, d, &ev);
		if (ev.kind == FARGS_KIND_RETURN && is_return == o->has_returns)
			put_result(w->out, d, &ev);
	}
	return 0;
}

static int put_step(struct writer *w, const struct fargs_pt_item *item,
		    const struct fargs_pt_step *step, bool is_call)
{
	put_front(w, word_of(item, step), step->frame->depth);
	if (step->kind == FARGS_PT_STEP_UNSEEN)
		put_name(w, step->frame->addr, w->cursor->context.ns);
	else if (put_joined(w, step->frame, !is_call, false))
		return -ENOMEM;
	if (step->kind == FARGS_PT_STEP_LEFT && !(item->flags & FARGS_PT_ENDS) &&
	    item->kind == FARGS_PT_BRANCH)
		put_span(w, item, step->frame);
	fargs_put_char(w->out, '\n');
	return 0;
}

/*
 * Writes the returns of functions that ended in a tail call: they return together with the current
 * function. Functions without joined records are skipped, since they have no return value to show.
 */
static int put_jumped(struct writer *w, const struct fargs_pt_step *step)
{
	const struct fargs_pt_stack *stack = w->cursor->stack;
	struct fargs_pt_frame frame = *step->frame;
	const struct fargs_pt_joined *joined;
	const struct fargs_pt_jumped *jumped;
	size_t nr = fargs_pt_stack_jumped(stack, stack->nr, &jumped);

	while (nr--) {
		if (!find_joined(w, jumped[nr].node, &joined))
			continue;
		frame.addr = jumped[nr].addr;
		frame.node = jumped[nr].node;
		put_front(w, "return", frame.depth);
		if (put_joined(w, &frame, true, false))
			return -ENOMEM;
		fargs_put_char(w->out, '\n');
	}
	return 0;
}

static bool is_asked_for(const struct writer *w, const struct fargs_pt_frame *frame)
{
	const struct fargs_pt_call_lines_options *o = w->options;

	return (!o->roots || frame->is_below) && (!o->depth_max || frame->depth < o->depth_max);
}

/*
 * Is a line at @tsc within the time window and on the selected CPU? Also moves the context of
 * w->cursor to @tsc.
 */
static inline bool is_wanted(const struct writer *w, uint64_t tsc)
{
	const struct fargs_pt_context *context = fargs_pt_calls_context(w->cursor, tsc);
	const struct fargs_pt_call_lines_options *o = w->options;

	return (!o->is_one_cpu || context->stream->cpu == o->cpu) &&
	       (!context->has_time || fargs_time_window_has(&o->window, context->ns));
}

static __attribute__((noinline)) int put_lines(struct writer *w, const struct fargs_pt_item *item,
					       const struct fargs_pt_step *step, bool is_call)
{
	if (put_step(w, item, step, is_call))
		return -ENOMEM;
	return w->options->join && step->kind == FARGS_PT_STEP_LEFT && step->frame->is_jumped ?
	       put_jumped(w, step) : 0;
}

static inline int show_step(struct writer *w, const struct fargs_pt_item *item,
			    const struct fargs_pt_step *step)
{
	bool is_call = step->kind == FARGS_PT_STEP_ENTERED || step->kind == FARGS_PT_STEP_JUMPED;

	if (!is_call && !w->options->has_returns)
		return 0;
	if (!is_asked_for(w, step->frame) || !is_wanted(w, item->tsc))
		return 0;
	return put_lines(w, item, step, is_call);
}

/* Shows a tracepoint. Its record was joined to the call of fargs's probe function. */
static int show_tpoint(struct writer *w, const struct fargs_pt_item *item)
{
	const struct fargs_pt_stack *stack = w->cursor->stack;
	const struct fargs_pt_frame *top = &stack->frames[stack->nr - 1];
	const struct fargs_pt_joined *joined;

	if (!top->is_tracer || !is_asked_for(w, top) || !find_joined(w, top->node, &joined) ||
	    joined->rec->kind != FARGS_KIND_TPOINT || !is_wanted(w, item->tsc))
		return 0;
	put_front(w, "event", top->depth);
	if (put_joined(w, top, false, true))
		return -ENOMEM;
	fargs_put_char(w->out, '\n');
	return 0;
}

/* Shows @item if it is a trace error or changed kernel code (FARGS_PT_POKED). */
static void show_error(struct writer *w, const struct fargs_pt_item *item)
{
	if ((fargs_pt_item_is_error(item) || item->kind == FARGS_PT_POKED) &&
	    is_wanted(w, item->tsc))
		fargs_pt_put_error(w->out, &w->cursor->context, item);
}

static inline int take_item(struct writer *w, const struct fargs_pt_item *item, bool has_records)
{
	uint64_t before = has_records ? fargs_pt_calls_nr_nodes(w->calls) : 0;
	struct fargs_pt_step step;

	if (fargs_pt_calls_take(w->calls, w->cursor, item, &step))
		return -ENOMEM;
	if (item->kind != FARGS_PT_BRANCH)
		show_error(w, item);
	if (has_records && fargs_pt_calls_nr_nodes(w->calls) != before && show_tpoint(w, item))
		return -ENOMEM;
	return step.kind == FARGS_PT_STEP_NONE ? 0 : show_step(w, item, &step);
}

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	struct fargs_pt_call_lines *c = arg;
	struct writer w = {
		.options = c->options, .calls = c->calls, .out = out,
		.cursor = fargs_pt_calls_cursor(c->calls, part, begin),
	};
	size_t i;

	if (!w.cursor)
		return -ENOMEM;
	for (i = begin; i < end; i++)
		if (take_item(&w, &part->flow.items[i], c->options->join))
			return -ENOMEM;
	return 0;
}

struct fargs_pt_view fargs_pt_call_lines_view(struct fargs_pt_call_lines *c)
{
	return (struct fargs_pt_view){
		.arg = c, .begins = fargs_pt_calls_names(c->calls), .take = take_items,
	};
}

const struct fargs_pt_calls_counts *
fargs_pt_call_lines_counts(const struct fargs_pt_call_lines *c)
{
	return fargs_pt_calls_counts(c->calls);
}
