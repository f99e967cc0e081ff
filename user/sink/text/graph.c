// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/put.h"
#include "model/event_record.h"
#include "sink/text/text.h"
#include "sink/text/value.h"
#include "uapi/fargs_layout.h"

/*
 * Maximum nesting of calls, deeper than any kernel stack allows: deeper nesting is caused by
 * missing or corrupt records.
 */
#define DEPTH_MAX	512

struct frame {
	uint64_t ip;
	uint64_t tsc;
};

/* The calls of a task that have not returned. */
struct nest {
	int64_t key;
	struct frame *frames;
	size_t nr;
	size_t room;
	/*
	 * The thread that had this tid has returned with its leader's tid, and the record of its
	 * exec will follow. Until then, the tid is that of the old leader.
	 */
	bool has_execed;
};

struct fargs_graph {
	struct fargs_decoder *d;
	struct nest **nests;
	size_t nr_nests;
	struct fargs_hash by_key;
	/*
	 * Task whose last call is held, that is, the line of the call is not written yet. At most
	 * one call is held.
	 */
	struct nest *held;
	struct fargs_buf head;	/* first columns of the held call's line */
	struct fargs_buf call;
	struct fargs_buf stack;	/* the held call's trigger mark and stack, as text */
	bool is_old;		/* the call was already held at the last fargs_graph_flush() */
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
	size_t i;

	if (!g)
		return;
	for (i = 0; i < g->nr_nests; i++) {
		free(g->nests[i]->frames);
		free(g->nests[i]);
	}
	free(g->nests);
	fargs_hash_deinit(&g->by_key);
	fargs_buf_deinit(&g->head);
	fargs_buf_deinit(&g->call);
	fargs_buf_deinit(&g->stack);
	free(g);
}

/*
 * Returns a key for the event's task: the tid or, for idle tasks, whose tids are all 0, a separate
 * key for each CPU.
 */
static int64_t key_of(const struct fargs_event *ev)
{
	return ev->tid ? ev->tid : -1 - (int64_t)ev->cpu;
}

static struct nest *add_nest(struct fargs_graph *g, int64_t key, uint32_t hash)
{
	__cleanup_free struct nest *nest = calloc(1, sizeof(*nest));
	struct nest **to;

	if (!nest || fargs_hash_reserve(&g->by_key, g->nr_nests + 1))
		return NULL;
	to = fargs_array_add(g->nests, g->nr_nests);
	if (!to)
		return NULL;
	nest->key = key;
	fargs_hash_add(&g->by_key, hash, g->nr_nests - 1);
	*to = fargs_take_ptr(nest);
	return *to;
}

static struct nest *get_nest(struct fargs_graph *g, int64_t key)
{
	uint32_t hash = fargs_hash_u64(key), at, i;

	fargs_hash_for_each(i, at, &g->by_key, hash)
		if (g->nests[i]->key == key)
			return g->nests[i];
	return add_nest(g, key, hash);
}

static int push(struct fargs_graph *g, struct nest *nest, const struct fargs_event *ev)
{
	struct frame *frame;

	if (nest->nr == DEPTH_MAX) {
		g->nr_unreturned++;
		nest->nr--;
		memmove(nest->frames, nest->frames + 1, nest->nr * sizeof(*nest->frames));
	}
	frame = fargs_array_push(nest->frames, nest->nr, nest->room);
	if (!frame)
		return -ENOMEM;
	*frame = (struct frame){ .ip = ev->ip, .tsc = ev->tsc };
	return 0;
}

/* Returns the index of the frame of @nest that @ev returns from, or -1. */
static int find_frame(const struct nest *nest, const struct fargs_event *ev)
{
	int i;

	for (i = (int)nest->nr - 1; i >= 0; i--)
		if (nest->frames[i].ip == ev->ip && nest->frames[i].tsc == ev->entry_tsc)
			return i;
	return -1;
}

/*
 * Moves the outermost @nr open calls of @from to @to. The open calls of @to will not return, and
 * are dropped.
 */
static int move_frames(struct fargs_graph *g, struct nest *to, struct nest *from, size_t nr)
{
	g->nr_unreturned += to->nr;
	to->nr = 0;
	while (to->nr < nr) {
		struct frame *frame = fargs_array_push(to->frames, to->nr, to->room);

		if (!frame)
			return -ENOMEM;
		*frame = from->frames[to->nr - 1];
	}
	from->nr -= nr;
	memmove(from->frames, from->frames + nr, from->nr * sizeof(*from->frames));
	return 0;
}

/*
 * Finds the frame that @ev returns from in the calls of other tasks. A thread that execs takes over
 * its leader's tid before the exec is reported: the first call that returns with the new tid was
 * made with the old tid. Moves the thread's frames to @nest. The old leader, which dies, gets the
 * thread's old tid, so its calls can already be inside that frame; they stay. Sets *@at to the
 * frame's index, or to -1.
 */
static int find_elsewhere(struct fargs_graph *g, struct nest *nest, const struct fargs_event *ev,
			  int *at)
{
	size_t i;

	*at = -1;
	for (i = 0; i < g->nr_nests && *at < 0; i++) {
		struct nest *from = g->nests[i];

		*at = from == nest ? -1 : find_frame(from, ev);
		if (*at < 0)
			continue;
		from->has_execed = true;
		return move_frames(g, nest, from, *at + 1);
	}
	return 0;
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

/*
 * Writes the line of the held call with an opening brace, because the next event is not its return.
 */
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
	/* Tracepoints, and functions without a return probe, have no return that would match. */
	if (!ev->is_pair) {
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

/*
 * Drops all open calls except the outermost @keep: the dropped calls did not return, or their
 * returns were not recorded.
 */
static void unwind(struct fargs_graph *g, struct nest *nest, unsigned int keep)
{
	g->nr_unreturned += nest->nr - keep;
	nest->nr = keep;
}

static int take_return(struct fargs_graph *g, struct fargs_buf *out, struct nest *nest,
		       const struct fargs_event *ev)
{
	int at = find_frame(nest, ev), ret;
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
	ret = at < 0 ? find_elsewhere(g, nest, ev, &at) : 0;
	if (ret)
		return ret;
	if (at >= 0) {
		unwind(g, nest, at + 1);
		nest->nr = at;
	} else {
		g->nr_orphans++;
	}
	fargs_text_head(out, ev);
	put_duration(out, ev);
	indent(out, nest->nr);
	/*
	 * A return whose call is unknown is shown like a call if it has arguments; otherwise as a
	 * closing brace.
	 */
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

/*
 * Handles a TASK record. A new task starts without open calls. If a thread execs and takes over its
 * leader's tid, the thread's open calls are moved to that tid.
 */
static int take_task(struct fargs_graph *g, struct fargs_buf *out, const struct fargs_event *ev)
{
	struct nest *from, *to;
	int ret;

	if (!ev->new_tid && (!ev->old_tid || ev->old_tid == ev->tid))
		return 0;
	open_held(g, out);
	to = get_nest(g, ev->new_tid ? ev->new_tid : ev->tid);
	if (!to)
		return -ENOMEM;
	if (ev->new_tid) {
		unwind(g, to, 0);
		to->has_execed = false;
		return check(out);
	}
	from = get_nest(g, ev->old_tid);
	if (!from)
		return -ENOMEM;
	/* A return with the new tid may have moved the frames already. */
	if (!from->has_execed) {
		ret = move_frames(g, to, from, from->nr);
		if (ret)
			return ret;
	}
	from->has_execed = false;
	return check(out);
}

/* Writes a formatted event as a C comment, indented like the task's calls. */
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
