// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks for flamegraph.pl, inferno and speedscope. A line has the frames of a stack,
 * outermost first, separated by semicolons, and then the number of calls or the ns spent in them.
 *
 * A stack consists of the task's name, the recorded callers (--stack; otherwise the direct caller,
 * which is in each record) and the function. A function's ns do not include the time of recorded
 * calls nested in it.
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/put.h"
#include "base/row.h"
#include "sink/export/named.h"
#include "sink/export/stack_tree.h"
#include "sink/export/task_set.h"
#include "sink/text/value.h"

/*
 * Maximum number of completed calls that are kept per task. They are kept because they may be
 * nested in a call that is still running.
 */
#define INSIDE_MAX	4096

/* At least this many bytes of lines are written at once. */
#define PIECE		(1u << 20)

struct inside {
	uint64_t from_ns;
	uint64_t ns;
	uint32_t depth;		/* calls in an Intel PT trace only: number of callers */
};

struct task {
	int64_t id;
	size_t nr, room;
	struct inside *inside;	/* completed calls, in the order of their returns */
};

struct folded {
	struct fargs_export e;
	bool is_by_duration;
	struct fargs_stack_tree stacks;
	struct fargs_stack_walk walk;
	struct task *tasks;
	size_t nr_tasks;
	struct fargs_hash by_id;
	struct fargs_buf text;	/* text of the current stack */
};

/* Appends a frame. Replaces characters that would end the frame or the line. */
static void put_frame(struct fargs_buf *out, const char *text)
{
	size_t from, i;

	if (out->n)
		fargs_put_char(out, ';');
	from = out->n;
	fargs_put_escaped(out, text, strlen(text), NULL);
	for (i = from; i < out->n; i++)
		if (out->text[i] == ';')
			out->text[i] = ':';
	if (from == out->n)
		fargs_put_char(out, '?');
}

static void put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr)
{
	fargs_put_char(out, ';');
	fargs_value_put_symbol(out, d, addr, false);
}

static void put_stack(struct folded *f, struct fargs_decoder *d, const struct fargs_event *ev)
{
	const uint8_t *p = ev->stack;
	char buf[FARGS_NAMED_MAX];
	uint64_t addr;
	unsigned int i;

	f->text.n = 0;
	put_frame(&f->text, ev->kind == FARGS_KIND_LOST ? "[lost]" : ev->comm);
	for (i = fargs_row(D1) ? ev->nr_stack : 0; i--;) {
		memcpy(&addr, p + 8 * i, sizeof(addr));
		put_symbol(&f->text, d, addr);
	}
	/* Intel PT shows all callers of calls, and what jumped to a function is none of them. */
	if (!ev->nr_stack && ev->parent_ip && !ev->trace)
		put_symbol(&f->text, d, ev->parent_ip);
	if (ev->sample && ev->sample->has_place)
		put_symbol(&f->text, d, ev->ip);
	else if (ev->kind != FARGS_KIND_LOST)
		put_frame(&f->text, fargs_named(d, ev, buf));
	if (ev->func && ev->func->module)
		fargs_value_put_module(&f->text, ev->func->module);
}

static struct task *get_task(struct folded *f, int64_t id)
{
	uint32_t hash = fargs_hash_u64(id), at, i;
	struct task *task;

	fargs_hash_for_each(i, at, &f->by_id, hash)
		if (f->tasks[i].id == id)
			return &f->tasks[i];
	if (fargs_hash_reserve(&f->by_id, f->nr_tasks + 1))
		return NULL;
	task = fargs_array_add(f->tasks, f->nr_tasks);
	if (!task)
		return NULL;
	*task = (struct task){ .id = id };
	fargs_hash_add(&f->by_id, hash, f->nr_tasks - 1);
	return task;
}

/*
 * To bound memory, merges the older half of the completed calls in pairs. If a running call began
 * between the two calls of a pair, the time of the pair is not subtracted from that call's own
 * time.
 */
static void join_older(struct task *task)
{
	unsigned int i;

	for (i = 0; i < INSIDE_MAX / 4; i++) {
		task->inside[i] = task->inside[2 * i];
		task->inside[i].ns += task->inside[2 * i + 1].ns;
	}
	memmove(&task->inside[i], &task->inside[2 * i],
		(INSIDE_MAX - 2 * i) * sizeof(*task->inside));
	task->nr -= i;
}

/*
 * Is the completed call @inside nested in the call that returns with @ev, which began at @from?
 * Many events of an Intel PT trace have the same time, so the depths of calls are compared instead.
 */
static bool is_nested(const struct inside *inside, const struct fargs_event *ev, uint64_t from)
{
	return ev->trace ? inside->depth > ev->trace->depth : inside->from_ns >= from;
}

/*
 * Handles an event of an Intel PT trace that has no duration. If it is a return, the completed
 * calls nested in the returning call get its depth, so that they count as nested in its caller. If
 * it is an error, nesting is unknown from then on, so all completed calls are dropped.
 */
static int follow_trace(struct folded *f, const struct fargs_event *ev)
{
	struct task *task = get_task(f, fargs_task_id(ev));
	size_t i;

	if (!task)
		return -ENOMEM;
	if (ev->error)
		task->nr = 0;
	for (i = task->nr; i && ev->kind == FARGS_KIND_RETURN &&
	     task->inside[i - 1].depth > ev->trace->depth; i--)
		task->inside[i - 1].depth = ev->trace->depth;
	return 0;
}

/*
 * Sets *@ns to a call's own time: its duration without that of nested calls. Nested calls return
 * before the call itself, so their events are processed first.
 */
static int take_own_time(struct folded *f, const struct fargs_event *ev, uint64_t *ns)
{
	struct task *task = get_task(f, fargs_task_id(ev));
	uint64_t from = ev->time_ns - ev->duration_ns, others = 0;
	struct inside *inside;

	if (!task)
		return -ENOMEM;
	if (task->nr == INSIDE_MAX)
		join_older(task);
	while (task->nr && is_nested(&task->inside[task->nr - 1], ev, from))
		others += task->inside[--task->nr].ns;
	inside = fargs_array_push(task->inside, task->nr, task->room);
	if (!inside)
		return -ENOMEM;
	*inside = (struct inside){
		.from_ns = from, .ns = ev->duration_ns, .depth = ev->trace ? ev->trace->depth : 0,
	};
	*ns = others < ev->duration_ns ? ev->duration_ns - others : 0;
	return 0;
}

static int add(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
	       const struct fargs_event *ev)
{
	struct folded *f = arg;
	uint64_t n = 1;
	int ret = 0;

	switch (ev->kind) {
	case FARGS_KIND_LOST:
		if (f->is_by_duration)
			return 0;
		n = ev->lost;
		break;
	case FARGS_KIND_TASK:
	case FARGS_KIND_SWITCH:
		return 0;
	default:
		if (f->is_by_duration && !ev->has_duration)
			return ev->trace || ev->error ? follow_trace(f, ev) : 0;
		/* A call with two records is counted once, when its ENTRY record is processed. */
		if (!f->is_by_duration && ev->kind == FARGS_KIND_RETURN &&
		    fargs_named_is_graph(ev))
			return 0;
		if (f->is_by_duration)
			ret = take_own_time(f, ev, &n);
	}
	if (ret)
		return ret;
	put_stack(f, d, ev);
	if (f->text.is_short)
		return -ENOMEM;
	return fargs_stack_tree_add(&f->stacks, f->text.text, f->text.n, n);
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct folded *f = arg;

	return fargs_stack_walk_lines(&f->walk, out, PIECE);
}

static void destroy(struct fargs_export *e)
{
	struct folded *f = (struct folded *)e;
	size_t i;

	for (i = 0; i < f->nr_tasks; i++)
		free(f->tasks[i].inside);
	fargs_stack_walk_deinit(&f->walk);
	fargs_stack_tree_deinit(&f->stacks);
	free(f->tasks);
	fargs_hash_deinit(&f->by_id);
	fargs_buf_deinit(&f->text);
	free(f);
}

struct fargs_export *fargs_folded_create(const struct fargs_export_options *o,
					 struct fargs_error_text *err)
{
	struct folded *f = calloc(1, sizeof(*f));

	if (!f) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	f->walk.tree = &f->stacks;
	f->is_by_duration = o->is_by_duration;
	f->e.destroy = destroy;
	f->e.sink = (struct fargs_sink){
		.event = add, .end = end, .arg = f, .is_in_order = true, .needs_callers = true,
	};
	return &f->e;
}
