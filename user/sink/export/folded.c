// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks, outermost first and with semicolons between, and how often each came or how many ns
 * it took: what flamegraph.pl, inferno and speedscope read.
 *
 * A stack is the task's name, the callers as far as they were recorded (--stack; else the one
 * that is in each record), and the function. Time is a function's own: without that of
 * calls inside it that were recorded.
 */
#include "sink/export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sink/export/named.h"
#include "sink/export/task_set.h"
#include "base/put.h"
#include "sink/text/value.h"
#include "base/top.h"

/* Calls of a task that have returned, and may turn out to be inside one that has not yet. */
#define INSIDE_MAX	4096

struct stack {
	uint64_t hash;
	uint64_t n;
	char *text;
	size_t len;
};

struct inside {
	uint64_t from_ns;
	uint64_t ns;
};

struct task {
	int64_t id;
	bool is_used;
	unsigned int nr, room;
	struct inside *inside;	/* in the order of their returns */
};

struct folded {
	struct fargs_export e;
	bool is_by_duration;
	struct stack *stacks;
	size_t nr_stacks, stacks_room;
	struct task *tasks;
	size_t nr_tasks, tasks_room;
	struct fargs_buf text;	/* of a stack */
};

static struct stack *find_stack(struct folded *f, uint64_t hash, const char *text, size_t len)
{
	size_t i = hash % f->stacks_room;
	struct stack *s;

	for (; f->stacks[i].text; i = (i + 1) % f->stacks_room) {
		s = &f->stacks[i];
		if (s->hash == hash && s->len == len && !memcmp(s->text, text, len))
			break;
	}
	return &f->stacks[i];
}

static int grow_stacks(struct folded *f)
{
	struct stack *old = f->stacks;
	size_t i, nr = f->stacks_room;

	f->stacks = calloc(nr ? 2 * nr : 256, sizeof(*f->stacks));
	if (!f->stacks) {
		f->stacks = old;
		return -ENOMEM;
	}
	f->stacks_room = nr ? 2 * nr : 256;
	for (i = 0; i < nr; i++)
		if (old[i].text)
			*find_stack(f, old[i].hash, old[i].text, old[i].len) = old[i];
	free(old);
	return 0;
}

/* @n more of the stack in f->text. */
static int count(struct folded *f, uint64_t n)
{
	uint64_t hash = fargs_top_hash(f->text.text, f->text.n);
	struct stack *s;

	if (f->text.is_short || (2 * f->nr_stacks >= f->stacks_room && grow_stacks(f)))
		return -ENOMEM;
	s = find_stack(f, hash, f->text.text, f->text.n);
	if (!s->text) {
		s->text = malloc(f->text.n);
		if (!s->text)
			return -ENOMEM;
		memcpy(s->text, f->text.text, f->text.n);
		s->len = f->text.n;
		s->hash = hash;
		f->nr_stacks++;
	}
	s->n += n;
	return 0;
}

/* A frame: what ends one, or the line, is none of its characters. */
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
	for (i = ev->nr_stack; i--;) {
		memcpy(&addr, p + 8 * i, sizeof(addr));
		put_symbol(&f->text, d, addr);
	}
	if (!ev->nr_stack && ev->parent_ip)
		put_symbol(&f->text, d, ev->parent_ip);
	if (ev->kind != FARGS_KIND_LOST)
		put_frame(&f->text, fargs_named(d, ev, buf));
	if (ev->func && ev->func->module)
		fargs_value_put_module(&f->text, ev->func->module);
}

static struct task *find_task(const struct folded *f, int64_t id)
{
	size_t i = (uint64_t)id * 0x9e3779b97f4a7c15ull >> 32;

	for (i %= f->tasks_room; f->tasks[i].is_used; i = (i + 1) % f->tasks_room)
		if (f->tasks[i].id == id)
			break;
	return &f->tasks[i];
}

static struct task *take_task(struct folded *f, int64_t id)
{
	struct task *old = f->tasks, *task;
	size_t i, nr = f->tasks_room;

	if (2 * f->nr_tasks >= f->tasks_room) {
		f->tasks = calloc(nr ? 2 * nr : 64, sizeof(*f->tasks));
		if (!f->tasks) {
			f->tasks = old;
			return NULL;
		}
		f->tasks_room = nr ? 2 * nr : 64;
		for (i = 0; i < nr; i++)
			if (old[i].is_used)
				*find_task(f, old[i].id) = old[i];
		free(old);
	}
	task = find_task(f, id);
	f->nr_tasks += !task->is_used;
	task->is_used = true;
	task->id = id;
	return task;
}

/*
 * Room for one more. Of very many calls side by side the older ones become one of two each: a
 * call that began between such two would take none of their time from its own.
 */
static int make_room(struct task *task)
{
	struct inside *larger;
	unsigned int i;

	if (task->nr < task->room)
		return 0;
	if (task->room == INSIDE_MAX) {
		for (i = 0; i < INSIDE_MAX / 4; i++) {
			task->inside[i] = task->inside[2 * i];
			task->inside[i].ns += task->inside[2 * i + 1].ns;
		}
		memmove(&task->inside[i], &task->inside[2 * i],
			(INSIDE_MAX - 2 * i) * sizeof(*task->inside));
		task->nr -= i;
		return 0;
	}
	larger = realloc(task->inside, (task->room ? 2 * task->room : 16) * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	task->inside = larger;
	task->room = task->room ? 2 * task->room : 16;
	return 0;
}

/* What a call took by itself: it returns behind all that is inside. */
static int take_own_time(struct folded *f, const struct fargs_event *ev, uint64_t *ns)
{
	struct task *task = take_task(f, fargs_task_id(ev));
	uint64_t from = ev->time_ns - ev->duration_ns, others = 0;

	if (!task || make_room(task))
		return -ENOMEM;
	while (task->nr && task->inside[task->nr - 1].from_ns >= from)
		others += task->inside[--task->nr].ns;
	task->inside[task->nr++] = (struct inside){ .from_ns = from, .ns = ev->duration_ns };
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
			return 0;
		/* Of both records of a call one is enough. */
		if (!f->is_by_duration && ev->kind == FARGS_KIND_RETURN &&
		    fargs_named_is_graph(ev))
			return 0;
		if (f->is_by_duration)
			ret = take_own_time(f, ev, &n);
	}
	if (ret)
		return ret;
	put_stack(f, d, ev);
	return count(f, n);
}

static int compare(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;
	size_t least = x->len < y->len ? x->len : y->len;
	int ret = x->text && y->text ? memcmp(x->text, y->text, least) : 0;

	/* Free ones last. */
	if (!x->text || !y->text)
		return !x->text - !y->text;
	return ret ? ret : x->len < y->len ? -1 : x->len > y->len;
}

static int end(void *arg, struct fargs_buf *out, struct fargs_decoder *d)
{
	struct folded *f = arg;
	size_t i;

	if (f->nr_stacks)
		qsort(f->stacks, f->stacks_room, sizeof(*f->stacks), compare);
	for (i = 0; i < f->nr_stacks; i++) {
		fargs_buf_add(out, f->stacks[i].text, f->stacks[i].len);
		fargs_put_char(out, ' ');
		fargs_put_u64(out, f->stacks[i].n, 0, 0);
		fargs_put_char(out, '\n');
	}
	return out->is_short ? -ENOMEM : 0;
}

static void destroy(struct fargs_export *e)
{
	struct folded *f = (struct folded *)e;
	size_t i;

	for (i = 0; i < f->stacks_room; i++)
		free(f->stacks[i].text);
	for (i = 0; i < f->tasks_room; i++)
		free(f->tasks[i].inside);
	free(f->stacks);
	free(f->tasks);
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
	f->is_by_duration = o->is_by_duration;
	f->e.destroy = destroy;
	f->e.view = (struct fargs_report_view){
		.event = add, .end = end, .arg = f, .is_in_order = true,
	};
	return &f->e;
}
