// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "sink/text/text.h"
#include "uapi/fargs_layout.h"
#include "sink/text/value.h"
#include "model/event_record.h"

/* Deeper than any kernel stack: then something is wrong with the records. */
#define DEPTH_MAX	512
#define BUCKETS		1024

struct frame {
	uint64_t ip;
	uint64_t tsc;
};

/* What one task is in the middle of. */
struct nest {
	struct nest *next;
	int64_t key;
	struct frame *frames;
	unsigned int nr;
	unsigned int room;
};

struct fargs_graph {
	struct fargs_decoder *d;
	struct nest *nests[BUCKETS];
	/* The last call, whose line is not written yet. At most one at a time. */
	struct nest *held;
	struct fargs_buf head;	/* of its line */
	struct fargs_buf call;
	struct fargs_buf stack;	/* with what stands in front of it */
	bool is_old;		/* it was held at the last flush */
	uint64_t nr_orphans;
	uint64_t nr_unreturned;
};

struct fargs_graph *fargs_graph_create(struct fargs_decoder *d)
{
	struct fargs_graph *g = calloc(1, sizeof(*g));

	if (g)
		g->d = d;
	return g;
}

void fargs_graph_destroy(struct fargs_graph *g)
{
	struct nest *nest, *next;
	size_t i;

	if (!g)
		return;
	for (i = 0; i < BUCKETS; i++) {
		for (nest = g->nests[i]; nest; nest = next) {
			next = nest->next;
			free(nest->frames);
			free(nest);
		}
	}
	fargs_buf_deinit(&g->head);
	fargs_buf_deinit(&g->call);
	fargs_buf_deinit(&g->stack);
	free(g);
}

/* Each CPU's idle task has the number 0. */
static int64_t key_of(const struct fargs_event *ev)
{
	return ev->tid ? ev->tid : -1 - (int64_t)ev->cpu;
}

static struct nest *get_nest(struct fargs_graph *g, int64_t key)
{
	struct nest **bucket = &g->nests[(uint64_t)key % BUCKETS], *nest;

	for (nest = *bucket; nest; nest = nest->next)
		if (nest->key == key)
			return nest;
	nest = calloc(1, sizeof(*nest));
	if (!nest)
		return NULL;
	nest->key = key;
	nest->next = *bucket;
	*bucket = nest;
	return nest;
}

static int push(struct fargs_graph *g, struct nest *nest, const struct fargs_event *ev)
{
	struct frame *larger;

	if (nest->nr == DEPTH_MAX) {
		g->nr_unreturned++;
		nest->nr--;
		memmove(nest->frames, nest->frames + 1, nest->nr * sizeof(*nest->frames));
	}
	if (nest->nr == nest->room) {
		unsigned int room = nest->room ? 2 * nest->room : 16;

		larger = realloc(nest->frames, room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		nest->frames = larger;
		nest->room = room;
	}
	nest->frames[nest->nr++] = (struct frame){
		.ip = ev->ip,
		.tsc = ev->tsc,
	};
	return 0;
}

/* The frame of @nest that @ev returns from, or -1. */
static int find_frame(const struct nest *nest, const struct fargs_event *ev)
{
	int i;

	for (i = (int)nest->nr - 1; i >= 0; i--)
		if (nest->frames[i].ip == ev->ip && nest->frames[i].tsc == ev->entry_tsc)
			return i;
	return -1;
}

/* What @from is in the middle of, @to is now; what @to was is over. */
static void move_frames(struct fargs_graph *g, struct nest *to, struct nest *from)
{
	struct frame *frames = to->frames;
	unsigned int room = to->room;

	g->nr_unreturned += to->nr;
	to->frames = from->frames;
	to->room = from->room;
	to->nr = from->nr;
	from->frames = frames;
	from->room = room;
	from->nr = 0;
}

/*
 * A thread that execs has its leader's number before that is told: the first call to
 * return under it was made under the old one. Takes its frames along. Returns as
 * find_frame().
 */
static int find_elsewhere(struct fargs_graph *g, struct nest *nest, const struct fargs_event *ev)
{
	struct nest *from;
	size_t i;

	for (i = 0; i < BUCKETS; i++) {
		for (from = g->nests[i]; from; from = from->next) {
			int at = from == nest ? -1 : find_frame(from, ev);

			if (at < 0 || at != (int)from->nr - 1)
				continue;
			move_frames(g, nest, from);
			return at;
		}
	}
	return -1;
}

static void put_duration(struct fargs_buf *out, const struct fargs_event *ev)
{
	if (ev && ev->has_duration)
		fargs_text_duration(out, ev, 7);
	else
		fargs_buf_fill(out, ' ', 14);
	fargs_put(out, " |");
}

static void indent(struct fargs_buf *out, unsigned int depth)
{
	fargs_buf_fill(out, ' ', 1 + 2 * depth);
}

static int check(const struct fargs_buf *out)
{
	return out->is_short ? -ENOMEM : 0;
}

static void put_buf(struct fargs_buf *out, const struct fargs_buf *text)
{
	fargs_buf_add(out, text->text, text->n);
}

static void drop_held(struct fargs_graph *g)
{
	g->head.n = 0;
	g->call.n = 0;
	g->stack.n = 0;
	g->held = NULL;
}

/* Something comes behind the held call that is not its return. */
static void open_held(struct fargs_graph *g, struct fargs_buf *out)
{
	if (!g->held)
		return;
	put_buf(out, &g->head);
	put_duration(out, NULL);
	indent(out, g->held->nr - 1);
	put_buf(out, &g->call);
	fargs_put(out, " {");
	put_buf(out, &g->stack);
	fargs_put_char(out, '\n');
	drop_held(g);
}

static int hold(struct fargs_graph *g, struct nest *nest, const struct fargs_event *ev)
{
	fargs_text_head(&g->head, ev);
	fargs_text_call(&g->call, g->d, ev);
	fargs_text_trigger(&g->stack, ev);
	fargs_text_stack(&g->stack, g->d, ev);
	if (check(&g->head) || check(&g->call) || check(&g->stack))
		return -ENOMEM;
	g->held = nest;
	g->is_old = false;
	return 0;
}

static int take_call(struct fargs_graph *g, struct fargs_buf *out, struct nest *nest,
		     const struct fargs_event *ev)
{
	int ret;

	open_held(g, out);
	/* A function without a return probe, and a tracepoint: nothing waits for it. */
	if (!ev->func || !(ev->func->layout_flags & FARGS_LAYOUT_GRAPH)) {
		fargs_text_head(out, ev);
		put_duration(out, NULL);
		indent(out, nest->nr);
		fargs_text_call(out, g->d, ev);
		fargs_text_trigger(out, ev);
		fargs_text_stack(out, g->d, ev);
		fargs_put_char(out, '\n');
		return check(out);
	}
	ret = push(g, nest, ev);
	g->call.is_coloured = out->is_coloured;
	return ret ? ret : hold(g, nest, ev);
}

/* Of the calls above @keep none will return any more, or without our seeing it. */
static void unwind(struct fargs_graph *g, struct nest *nest, unsigned int keep)
{
	g->nr_unreturned += nest->nr - keep;
	nest->nr = keep;
}

static int take_return(struct fargs_graph *g, struct fargs_buf *out, struct nest *nest,
		       const struct fargs_event *ev)
{
	int at = find_frame(nest, ev);
	bool is_leaf = at >= 0 && g->held == nest && at == (int)nest->nr - 1;

	if (is_leaf) {
		put_buf(out, &g->head);
		put_duration(out, ev);
		indent(out, at);
		put_buf(out, &g->call);
		fargs_text_result(out, g->d, ev);
		fargs_text_trigger(out, ev);
		put_buf(out, &g->stack);
		fargs_put_char(out, '\n');
		drop_held(g);
		nest->nr = at;
		return check(out);
	}
	open_held(g, out);
	if (at < 0)
		at = find_elsewhere(g, nest, ev);
	if (at >= 0) {
		unwind(g, nest, at + 1);
		nest->nr = at;
	} else {
		g->nr_orphans++;
	}
	fargs_text_head(out, ev);
	put_duration(out, ev);
	indent(out, nest->nr);
	/* With its arguments it stands for itself; else its call was not seen. */
	if (at >= 0 || !ev->nr_args)
		fargs_put_char(out, '}');
	else
		fargs_text_call(out, g->d, ev);
	fargs_text_result(out, g->d, ev);
	if (at >= 0 || !ev->nr_args) {
		fargs_put(out, " <");
		if (ev->func)
			fargs_value_put_name(out, ev->func->name);
		else
			fargs_value_put_symbol(out, g->d, ev->ip, false);
		fargs_put_char(out, '>');
	}
	fargs_text_trigger(out, ev);
	fargs_put_char(out, '\n');
	return check(out);
}

/* A new task of an old number begins anew; a thread that execs gets its leader's number. */
static int take_task(struct fargs_graph *g, struct fargs_buf *out, const struct fargs_event *ev)
{
	struct nest *from, *to;

	if (!ev->new_tid && (!ev->old_tid || ev->old_tid == ev->tid))
		return 0;
	open_held(g, out);
	to = get_nest(g, ev->new_tid ? ev->new_tid : ev->tid);
	if (!to)
		return -ENOMEM;
	if (ev->new_tid) {
		unwind(g, to, 0);
		return check(out);
	}
	from = get_nest(g, ev->old_tid);
	if (!from)
		return -ENOMEM;
	/* Else a return has brought it along. */
	if (from->nr)
		move_frames(g, to, from);
	return check(out);
}

/* As a comment in what its task is in the middle of. */
static int take_formatted(struct fargs_graph *g, struct fargs_buf *out,
			  const struct fargs_event *ev)
{
	struct nest *nest = get_nest(g, key_of(ev));
	int ret;

	if (!nest)
		return -ENOMEM;
	open_held(g, out);
	fargs_text_head(out, ev);
	put_duration(out, NULL);
	indent(out, nest->nr);
	fargs_put(out, "/* ");
	ret = fargs_text_formatted(out, g->d, ev, false);
	fargs_put(out, " */\n");
	return ret ? ret : check(out);
}

int fargs_graph_event(struct fargs_graph *g, struct fargs_buf *out, const struct fargs_event *ev)
{
	struct nest *nest;

	switch (ev->kind) {
	case FARGS_KIND_LOST:
	case FARGS_KIND_SWITCH:
		open_held(g, out);
		return fargs_text_event(out, g->d, ev);
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_RETURN:
	case FARGS_KIND_TPOINT:
		nest = get_nest(g, key_of(ev));
		if (!nest)
			return -ENOMEM;
		return ev->kind == FARGS_KIND_RETURN ? take_return(g, out, nest, ev)
						     : take_call(g, out, nest, ev);
	case FARGS_KIND_TASK:
		return take_task(g, out, ev);
	case FARGS_KIND_EVENT:
		return take_formatted(g, out, ev);
	default:
		return 0;
	}
}

int fargs_graph_flush(struct fargs_graph *g, struct fargs_buf *out, bool is_last)
{
	if (is_last || g->is_old)
		open_held(g, out);
	g->is_old = true;
	return check(out);
}

uint64_t fargs_graph_nr_orphans(const struct fargs_graph *g)
{
	return g->nr_orphans;
}

uint64_t fargs_graph_nr_unreturned(const struct fargs_graph *g)
{
	return g->nr_unreturned;
}
