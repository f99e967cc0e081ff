// SPDX-License-Identifier: GPL-2.0-only
#include "pt/calls.h"

#include <errno.h>
#include <stdlib.h>

#include "out/put.h"
#include "pt/insn.h"
#include "pt/line.h"
#include "pt/names.h"
#include "pt/stack.h"
#include "pt/switches.h"

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
	size_t nr_switched;
	uint64_t tsc;
	struct fargs_pt_line line;
	bool has_line;
};

struct fargs_pt_calls {
	const struct fargs_pt_input *in;
	const struct fargs_pt_calls_options *options;
	struct fargs_pt_names *names;
	struct fargs_pt_names_cache *cache;
	struct lane *lanes;	/* by stream */
	struct task *tasks[NR_BUCKETS];
	struct fargs_pt_calls_counts counts;
};

struct fargs_pt_calls *fargs_pt_calls_create(const struct fargs_pt_input *in,
					     const struct fargs_pt_calls_options *options)
{
	struct fargs_pt_calls *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->in = in;
	c->options = options;
	c->names = fargs_pt_names_create(in);
	c->cache = calloc(1, sizeof(*c->cache));
	c->lanes = calloc(in->nr_streams + 1, sizeof(*c->lanes));
	if (!c->names || !c->cache || !c->lanes) {
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
	task->next = *bucket;
	*bucket = task;
	return task;
}

/*
 * What is no function of its own: what the compiler has moved away, and what a function jumps to
 * for its return (__x86_return_thunk, its_return_thunk …).
 */
static bool is_part(const char *name)
{
	size_t n = strlen(name), suffix = strlen("return_thunk");

	return strstr(name, ".cold") || (n >= suffix && !strcmp(name + n - suffix, "return_thunk"));
}

static const struct fargs_pt_name *name_of(struct fargs_pt_calls *c, uint64_t addr, uint64_t ns)
{
	return fargs_pt_names_get(c->names, c->cache, addr, ns);
}

static void look_at(struct fargs_pt_calls *c, const struct fargs_pt_item *item, uint64_t ns,
		    struct fargs_pt_target *to)
{
	const struct fargs_pt_name *name = item->to ? name_of(c, item->to, ns) : NULL;

	*to = (struct fargs_pt_target){ .func = name && name->name ? name->addr : 0 };
	if (!name || !name->name || name->addr != item->to || is_part(name->name))
		return;
	to->is_begin = true;
	to->is_thunk = strstr(name->name, "indirect_thunk");
	if (item->insn == FARGS_PT_INSN_JUMP || item->insn == FARGS_PT_INSN_COND)
		to->is_own = name_of(c, item->from, ns)->addr == item->to;
}

static const char *word_of(const struct fargs_pt_item *item, const struct fargs_pt_step *step)
{
	if (item->kind == FARGS_PT_INTERRUPT)
		return "hw int";
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

/* The time of a line, and whose it is: the same for many. */
static void set_line(struct fargs_pt_calls *c, struct lane *l, uint64_t tsc)
{
	if (l->has_line && l->tsc == tsc)
		return;
	l->tsc = tsc;
	l->has_line = true;
	l->line.in = c->in;
	fargs_pt_line_set(&l->line, l->part, l->nr_switched, tsc);
}

static void put_step(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item,
		     const struct fargs_pt_step *step, struct fargs_buf *out)
{
	const char *word = word_of(item, step);

	fargs_pt_line_head(out, &l->line);
	if (c->options->has_returns) {
		fargs_put(out, word);
		fargs_buf_fill(out, ' ', 9 - strlen(word));
	}
	fargs_buf_fill(out, ' ', (size_t)INDENT * step->frame.depth);
	put_name(c, out, step->frame.addr, l->line.ns);
	fargs_put_char(out, '\n');
}

static bool is_wanted(const struct fargs_pt_calls *c, const struct lane *l)
{
	return !l->line.has_time || fargs_time_window_has(&c->options->window, l->line.ns);
}

static void show_step(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item,
		      const struct fargs_pt_step *step, struct fargs_buf *out)
{
	bool is_call = step->kind == FARGS_PT_STEP_ENTERED || step->kind == FARGS_PT_STEP_JUMPED;

	c->counts.calls += is_call;
	c->counts.returns += step->kind == FARGS_PT_STEP_LEFT;
	c->counts.unseen += step->kind == FARGS_PT_STEP_UNSEEN;
	if (!is_call && !c->options->has_returns)
		return;
	set_line(c, l, item->tsc);
	if (is_wanted(c, l))
		put_step(c, l, item, step, out);
}

static int switch_task(struct fargs_pt_calls *c, struct lane *l)
{
	int32_t tid = fargs_pt_switches_task(l->part->switches, l->nr_switched);

	l->task = find_task(c, l->part->seg->stream, tid);
	l->has_line = false;
	return l->task ? 0 : -ENOMEM;
}

static int take_item(struct fargs_pt_calls *c, struct lane *l, const struct fargs_pt_item *item,
		     struct fargs_buf *out)
{
	uint64_t ns = l->has_line ? l->line.ns : 0;
	struct fargs_pt_target to;
	struct fargs_pt_step step;

	switch (item->kind) {
	case FARGS_PT_SWITCH:
		l->nr_switched++;
		return switch_task(c, l);
	case FARGS_PT_BEGIN:
		if (item->flags & FARGS_PT_CONTINUES && !l->part->is_broken_off)
			return 0;
		break;
	case FARGS_PT_PTWRITE:
		return 0;
	}
	if (fargs_pt_line_is_error(item) || item->kind == FARGS_PT_POKED) {
		c->counts.errors += item->kind != FARGS_PT_POKED;
		set_line(c, l, item->tsc);
		if (is_wanted(c, l))
			fargs_pt_line_error(out, &l->line, item);
	}
	look_at(c, item, ns, &to);
	if (fargs_pt_stack_take(&l->task->stack, item, &to, &step))
		return -ENOMEM;
	if (step.kind != FARGS_PT_STEP_NONE)
		show_step(c, l, item, &step, out);
	return 0;
}

static int take_items(void *arg, const struct fargs_pt_part *part, size_t begin, size_t end,
		      struct fargs_buf *out)
{
	struct fargs_pt_calls *c = arg;
	struct lane *l = &c->lanes[part->seg->stream - c->in->streams];
	size_t i;

	if (l->part != part || !begin) {
		/* Where a gap was mended, other tasks may run than were left. */
		l->part = part;
		l->has_line = false;
		if (c->in->nr_symbols)
			memset(c->cache, 0, sizeof(*c->cache));
		if (!l->task || l->nr_switched != part->nr_switched) {
			l->nr_switched = part->nr_switched;
			if (switch_task(c, l))
				return -ENOMEM;
		}
	}
	for (i = begin; i < end; i++)
		if (take_item(c, l, &part->flow.items[i], out))
			return -ENOMEM;
	return 0;
}

struct fargs_pt_view fargs_pt_calls_view(struct fargs_pt_calls *c)
{
	return (struct fargs_pt_view){ .arg = c, .take = take_items };
}

const struct fargs_pt_calls_counts *fargs_pt_calls_counts(const struct fargs_pt_calls *c)
{
	return &c->counts;
}
