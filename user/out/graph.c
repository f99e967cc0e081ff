// SPDX-License-Identifier: GPL-2.0-only
#include "out/graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "out/put.h"
#include "out/text.h"
#include "uapi/fargs_layout.h"
#include "out/value.h"

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
	char *head;		/* of its line */
	char *call;
	char *stack;
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
	free(g->head);
	free(g->call);
	free(g->stack);
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

/* The frame that @ev returns from, or -1. */
static int find_frame(const struct nest *nest, const struct fargs_event *ev)
{
	int i;

	for (i = (int)nest->nr - 1; i >= 0; i--)
		if (nest->frames[i].ip == ev->ip && nest->frames[i].tsc == ev->entry_tsc)
			return i;
	return -1;
}

static void put_duration(FILE *out, const struct fargs_event *ev)
{
	if (ev && ev->has_duration)
		fargs_text_duration(out, ev, 7);
	else
		fprintf(out, "%14s", "");
	fargs_put(out, " |");
}

static void indent(FILE *out, unsigned int depth)
{
	fprintf(out, " %*s", 2 * (int)depth, "");
}

static int check(FILE *out)
{
	return ferror_unlocked(out) ? errno ? -errno : -EIO : 0;
}

static void drop_held(struct fargs_graph *g)
{
	free(g->head);
	free(g->call);
	free(g->stack);
	g->head = NULL;
	g->call = NULL;
	g->stack = NULL;
	g->held = NULL;
}

/* Something comes behind the held call that is not its return. */
static void open_held(struct fargs_graph *g, FILE *out)
{
	if (!g->held)
		return;
	fargs_put(out, g->head);
	put_duration(out, NULL);
	indent(out, g->held->nr - 1);
	fargs_put(out, g->call);
	fargs_put(out, " {");
	fargs_put(out, g->stack);
	fargs_put_char(out, '\n');
	drop_held(g);
}

static int hold(struct fargs_graph *g, struct nest *nest, const struct fargs_event *ev)
{
	size_t size;
	FILE *f;

	f = open_memstream(&g->head, &size);
	if (!f)
		return -ENOMEM;
	fargs_text_head(f, ev);
	if (fclose(f))
		return -ENOMEM;
	f = open_memstream(&g->call, &size);
	if (!f)
		return -ENOMEM;
	fargs_text_call(f, g->d, ev);
	if (fclose(f))
		return -ENOMEM;
	f = open_memstream(&g->stack, &size);
	if (!f)
		return -ENOMEM;
	fargs_text_stack(f, g->d, ev);
	if (fclose(f))
		return -ENOMEM;
	g->held = nest;
	g->is_old = false;
	return 0;
}

static int take_call(struct fargs_graph *g, FILE *out, struct nest *nest,
		     const struct fargs_event *ev)
{
	int ret;

	open_held(g, out);
	/* A function without a return probe has none of its own: nothing waits for it. */
	if (!ev->func || !(ev->func->layout_flags & FARGS_LAYOUT_GRAPH)) {
		fargs_text_head(out, ev);
		put_duration(out, NULL);
		indent(out, nest->nr);
		fargs_text_call(out, g->d, ev);
		fargs_text_stack(out, g->d, ev);
		fargs_put_char(out, '\n');
		return check(out);
	}
	ret = push(g, nest, ev);
	return ret ? ret : hold(g, nest, ev);
}

/* Of the calls above @keep none will return any more, or without our seeing it. */
static void unwind(struct fargs_graph *g, struct nest *nest, unsigned int keep)
{
	g->nr_unreturned += nest->nr - keep;
	nest->nr = keep;
}

static int take_return(struct fargs_graph *g, FILE *out, struct nest *nest,
		       const struct fargs_event *ev)
{
	int at = find_frame(nest, ev);
	bool is_leaf = at >= 0 && g->held == nest && at == (int)nest->nr - 1;

	if (is_leaf) {
		fargs_put(out, g->head);
		put_duration(out, ev);
		indent(out, at);
		fargs_put(out, g->call);
		fargs_text_result(out, g->d, ev);
		fargs_put(out, g->stack);
		fargs_put_char(out, '\n');
		drop_held(g);
		nest->nr = at;
		return check(out);
	}
	open_held(g, out);
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
	fargs_put_char(out, '\n');
	return check(out);
}

/* A new task of an old number begins anew; a thread that execs gets its leader's number. */
static int take_task(struct fargs_graph *g, FILE *out, const struct fargs_event *ev)
{
	struct nest *from, *to;
	struct frame *frames;
	unsigned int room;

	if (!ev->new_tid && (!ev->old_tid || ev->old_tid == ev->tid))
		return 0;
	open_held(g, out);
	to = get_nest(g, ev->new_tid ? ev->new_tid : ev->tid);
	if (!to)
		return -ENOMEM;
	unwind(g, to, 0);
	if (ev->new_tid)
		return check(out);
	from = get_nest(g, ev->old_tid);
	if (!from)
		return -ENOMEM;
	frames = to->frames;
	room = to->room;
	to->frames = from->frames;
	to->room = from->room;
	to->nr = from->nr;
	from->frames = frames;
	from->room = room;
	from->nr = 0;
	return check(out);
}

int fargs_graph_event(struct fargs_graph *g, FILE *out, const struct fargs_event *ev)
{
	struct nest *nest;

	switch (ev->kind) {
	case FARGS_KIND_LOST:
		open_held(g, out);
		return fargs_text_event(out, g->d, ev);
	case FARGS_KIND_ENTRY:
	case FARGS_KIND_RETURN:
		nest = get_nest(g, key_of(ev));
		if (!nest)
			return -ENOMEM;
		return ev->kind == FARGS_KIND_ENTRY ? take_call(g, out, nest, ev)
						    : take_return(g, out, nest, ev);
	case FARGS_KIND_TASK:
		return take_task(g, out, ev);
	default:
		return 0;
	}
}

int fargs_graph_flush(struct fargs_graph *g, FILE *out, bool is_last)
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
