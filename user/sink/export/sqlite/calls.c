// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/sqlite/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "sink/export/sqlite/call_row.h"
#include "sink/export/sqlite/nesting.h"
#include "sink/export/task_set.h"

/*
 * Maximum number of open calls of a task. No kernel stack is as deep, so that there are only more
 * if returns are missing.
 */
#define OPEN_MAX	4096

/* An open call. */
struct frame {
	struct fargs_db_call_row row;
	/* The address and the time of a recorded call, which its return has, too. */
	uint64_t ip, tsc;
	/* The number and the depth of a call that Intel PT shows. */
	uint64_t number;
	uint32_t depth;
	/*
	 * The function jumped to one that has returned for it. The event of its own return, if
	 * there is one, follows at once.
	 */
	bool has_returned;
};

struct fargs_db_nest {
	int64_t id;
	struct frame *frames;
	size_t nr, room;
};

void fargs_db_calls_deinit(struct fargs_db_calls *c)
{
	size_t i;

	for (i = 0; i < c->nr_nests; i++) {
		free(c->nests[i]->frames);
		free(c->nests[i]);
	}
	free(c->nests);
	fargs_hash_deinit(&c->by_id);
}

int fargs_db_calls_prepare(struct fargs_db_calls *c)
{
	return fargs_db_call_row_prepare(c->db, &c->insert);
}

void fargs_db_calls_finalize(struct fargs_db_calls *c)
{
	fargs_db_finalize(c->db, c->insert);
	c->insert = NULL;
}

static struct fargs_db_nest *get_nest(struct fargs_db_calls *c, int64_t id)
{
	__cleanup_free struct fargs_db_nest *nest = NULL;
	uint32_t hash = fargs_hash_u64(id), at, i;
	struct fargs_db_nest **to;

	fargs_hash_for_each(i, at, &c->by_id, hash)
		if (c->nests[i]->id == id)
			return c->nests[i];
	nest = calloc(1, sizeof(*nest));
	if (!nest || fargs_hash_reserve(&c->by_id, c->nr_nests + 1))
		return NULL;
	to = fargs_array_add(c->nests, c->nr_nests);
	if (!to)
		return NULL;
	nest->id = id;
	fargs_hash_add(&c->by_id, hash, c->nr_nests - 1);
	*to = fargs_take_ptr(nest);
	return *to;
}

static struct fargs_db_call_row begin_row(struct fargs_db_calls *c, const struct fargs_event *ev,
					  const struct fargs_db_event_ids *ids)
{
	return (struct fargs_db_call_row){
		.id = ++c->nr_calls, .thread = ids->thread, .comm = ids->comm,
		.function = ids->function, .path = ids->path, .call_ns = -1, .return_ns = -1,
		.elapsed_ns = ev->has_duration ? (int64_t)ev->duration_ns : -1,
		.cpu = ev->has_no_cpu ? -1 : (int64_t)ev->cpu,
		.flags = ids->path ? FARGS_DB_CALL_STACK : 0,
	};
}

static void set_return_time(struct fargs_db_call_row *row, const struct fargs_event *ev)
{
	row->return_ns = ev->has_no_time ? -1 : (int64_t)ev->time_ns;
	if (row->call_ns >= 0 && row->return_ns >= 0)
		row->elapsed_ns = row->return_ns - row->call_ns;
}

static void set_returned(struct fargs_db_call_row *row, const struct fargs_event *ev,
			 int64_t event)
{
	row->return_event = event;
	set_return_time(row, ev);
	if (ev->has_duration)
		row->elapsed_ns = ev->duration_ns;
}

/* Computes when a call was made from its return and its duration. */
static void set_called(struct fargs_db_call_row *row)
{
	if (row->elapsed_ns >= 0 && row->return_ns >= row->elapsed_ns)
		row->call_ns = row->return_ns - row->elapsed_ns;
}

static int insert(struct fargs_db_calls *c, const struct fargs_db_call_row *row)
{
	return fargs_db_call_row_insert(c->db, c->insert, row);
}

/* Adds the row of an open call. Unless the call has returned, its return is missing. */
static int close_frame(struct fargs_db_calls *c, struct frame *frame)
{
	if (!frame->has_returned)
		frame->row.flags |= FARGS_DB_CALL_NO_RETURN;
	return insert(c, &frame->row);
}

/* Closes the innermost open calls until @nr are left. */
static int unwind(struct fargs_db_calls *c, struct fargs_db_nest *nest, size_t nr)
{
	int ret = 0;

	while (nest->nr > nr && !ret)
		ret = close_frame(c, &nest->frames[--nest->nr]);
	return ret;
}

/* Sets the call around a call, if it is known, and the path, unless callers were recorded. */
static int set_parent(struct fargs_db_calls *c, const struct frame *parent,
		      struct fargs_db_call_row *row)
{
	if (parent)
		row->parent = parent->row.id;
	if (row->path)
		return 0;
	row->path = parent ? parent->row.path : 0;
	return fargs_db_places_extend(c->places, row->function, &row->path);
}

/* Adds a call that is not open. */
static int insert_in(struct fargs_db_calls *c, const struct frame *parent,
		     struct fargs_db_call_row *row)
{
	int ret = set_parent(c, parent, row);

	return ret ? ret : insert(c, row);
}

static int push(struct fargs_db_calls *c, struct fargs_db_nest *nest, const struct frame *parent,
		struct frame *frame)
{
	struct frame *to;
	int ret = 0;

	/* Close all of them: otherwise, call paths would become longer and longer. */
	if (nest->nr == OPEN_MAX) {
		ret = unwind(c, nest, 0);
		parent = NULL;
	}
	if (!ret)
		ret = set_parent(c, parent, &frame->row);
	if (ret)
		return ret;
	to = fargs_array_push(nest->frames, nest->nr, nest->room);
	if (!to)
		return -ENOMEM;
	*to = *frame;
	return 0;
}

static int take_entry(struct fargs_db_calls *c, struct fargs_db_nest *nest,
		      const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	struct frame frame = { .row = begin_row(c, ev, ids), .ip = ev->ip, .tsc = ev->tsc };

	frame.row.call_event = ids->event;
	frame.row.call_ns = ev->time_ns;
	return push(c, nest, nest->nr ? &nest->frames[nest->nr - 1] : NULL, &frame);
}

/* Returns the index of the frame of @nest that @ev returns from, or -1. */
static int find_frame(const struct fargs_db_nest *nest, const struct fargs_event *ev)
{
	int i;

	for (i = (int)nest->nr - 1; i >= 0; i--)
		if (nest->frames[i].ip == ev->ip && nest->frames[i].tsc == ev->entry_tsc)
			return i;
	return -1;
}

/*
 * Finds the call in the calls of other tasks: a thread that execs takes over its leader's tid while
 * it is inside calls. Moves these to @nest, and sets *@at to the call's index, or to -1.
 */
static int find_elsewhere(struct fargs_db_calls *c, struct fargs_db_nest *nest,
			  const struct fargs_event *ev, int *at)
{
	struct fargs_db_nest *from = NULL;
	struct frame *to;
	int ret;
	size_t i;

	*at = -1;
	for (i = 0; i < c->nr_nests && *at < 0; i++) {
		from = c->nests[i];
		*at = from == nest ? -1 : find_frame(from, ev);
	}
	ret = *at < 0 ? 0 : unwind(c, nest, 0);
	while (!ret && (int)nest->nr <= *at) {
		to = fargs_array_push(nest->frames, nest->nr, nest->room);
		if (!to)
			return -ENOMEM;
		*to = from->frames[nest->nr - 1];
	}
	if (*at < 0 || ret)
		return ret;
	from->nr -= nest->nr;
	memmove(from->frames, from->frames + nest->nr, from->nr * sizeof(*from->frames));
	return 0;
}

/*
 * Returns the innermost open call that was made before the call of @ev; NULL: none, or unknown when
 * the call was made.
 */
static const struct frame *find_open(const struct fargs_db_nest *nest, const struct fargs_event *ev)
{
	size_t nr = nest->nr;

	while (nr && ev->kind == FARGS_KIND_RETURN &&
	       (!ev->has_entry || nest->frames[nr - 1].tsc > ev->entry_tsc))
		nr--;
	return nr ? &nest->frames[nr - 1] : NULL;
}

/* A return whose call is not in the database. */
static int take_orphan(struct fargs_db_calls *c, const struct frame *parent,
		       const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	struct fargs_db_call_row row = begin_row(c, ev, ids);

	row.flags |= FARGS_DB_CALL_NO_CALL;
	set_returned(&row, ev, ids->event);
	set_called(&row);
	return insert_in(c, parent, &row);
}

static int take_return(struct fargs_db_calls *c, struct fargs_db_nest *nest,
		       const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	struct frame *frame;
	int at = find_frame(nest, ev), ret = 0;

	if (at < 0)
		ret = find_elsewhere(c, nest, ev, &at);
	if (ret)
		return ret;
	if (at < 0)
		return take_orphan(c, find_open(nest, ev), ev, ids);
	ret = unwind(c, nest, at + 1);
	if (ret)
		return ret;
	frame = &nest->frames[--nest->nr];
	set_returned(&frame->row, ev, ids->event);
	return insert(c, &frame->row);
}

/*
 * Returns the open call in which the call of @ev was made; NULL if it is not in the database. Calls
 * at the depth of @ev's call are functions that jumped to its function.
 */
static struct frame *find_caller(struct fargs_db_nest *nest, const struct fargs_event *ev)
{
	size_t i = nest->nr;

	while (i && nest->frames[i - 1].depth >= ev->trace->depth)
		i--;
	return i && ev->trace->parent && nest->frames[i - 1].number == ev->trace->parent ?
	       &nest->frames[i - 1] : NULL;
}

/* Closes calls that are no longer open because the call of @ev was made. */
static int leave_others(struct fargs_db_calls *c, struct fargs_db_nest *nest,
			const struct fargs_event *ev)
{
	size_t nr = nest->nr;
	const struct frame *frame;

	for (; nr; nr--) {
		frame = &nest->frames[nr - 1];
		if (frame->depth < ev->trace->depth)
			break;
		if (ev->trace->replaced && frame->number == ev->trace->replaced)
			break;
	}
	return unwind(c, nest, nr);
}

static int take_shown_entry(struct fargs_db_calls *c, struct fargs_db_nest *nest,
			    const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	struct frame frame = {
		.row = begin_row(c, ev, ids), .number = ev->trace->call, .depth = ev->trace->depth,
	};
	int ret = leave_others(c, nest, ev);

	if (ret)
		return ret;
	frame.row.call_event = ids->event;
	frame.row.call_ns = ev->has_no_time ? -1 : (int64_t)ev->time_ns;
	if (!strcmp(ev->trace->word, "jmp"))
		frame.row.flags |= FARGS_DB_CALL_JUMP;
	return push(c, nest, find_caller(nest, ev), &frame);
}

/*
 * The functions that jumped to the one that has returned have returned, too. The event has the
 * values of the latter only.
 */
static void return_others(struct fargs_db_nest *nest, const struct fargs_event *ev)
{
	size_t i;

	for (i = nest->nr; i && nest->frames[i - 1].depth == ev->trace->depth; i--) {
		set_return_time(&nest->frames[i - 1].row, ev);
		nest->frames[i - 1].has_returned = true;
	}
}

static int take_shown_return(struct fargs_db_calls *c, struct fargs_db_nest *nest,
			     const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	size_t nr = nest->nr;
	struct frame *frame;
	int ret;

	while (nr && nest->frames[nr - 1].depth >= ev->trace->depth &&
	       nest->frames[nr - 1].number != ev->trace->call)
		nr--;
	frame = nr ? &nest->frames[nr - 1] : NULL;
	if (!frame || frame->number != ev->trace->call)
		return take_orphan(c, find_caller(nest, ev), ev, ids);
	ret = unwind(c, nest, nr);
	if (ret)
		return ret;
	frame = &nest->frames[--nest->nr];
	set_returned(&frame->row, ev, ids->event);
	ret = insert(c, &frame->row);
	if (!ret && !frame->has_returned)
		return_others(nest, ev);
	return ret;
}

static int take_shown(struct fargs_db_calls *c, struct fargs_db_nest *nest,
		      const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	if (ev->kind == FARGS_KIND_ENTRY)
		return take_shown_entry(c, nest, ev, ids);
	/* Returns to functions from calls that are not in the trace have no number. */
	return ev->trace->call ? take_shown_return(c, nest, ev, ids) : 0;
}

/* A call that has only one event. */
static int take_single(struct fargs_db_calls *c, struct fargs_db_nest *nest,
		       const struct fargs_event *ev, const struct fargs_db_event_ids *ids)
{
	struct fargs_db_call_row row = begin_row(c, ev, ids);

	c->has_single_events = true;
	row.call_event = ids->event;
	if (ev->kind == FARGS_KIND_ENTRY) {
		row.flags |= FARGS_DB_CALL_NO_RETURN;
		row.call_ns = ev->time_ns;
	} else {
		set_returned(&row, ev, ids->event);
		set_called(&row);
	}
	return insert_in(c, find_open(nest, ev), &row);
}

int fargs_db_calls_take(struct fargs_db_calls *c, const struct fargs_event *ev,
			const struct fargs_db_event_ids *ids)
{
	struct fargs_db_nest *nest;

	if (ev->kind != FARGS_KIND_ENTRY && ev->kind != FARGS_KIND_RETURN)
		return 0;
	nest = get_nest(c, fargs_task_id(ev));
	if (!nest)
		return -ENOMEM;
	if (ev->trace)
		return take_shown(c, nest, ev, ids);
	if (!ev->is_pair)
		return take_single(c, nest, ev, ids);
	return ev->kind == FARGS_KIND_ENTRY ? take_entry(c, nest, ev, ids) :
					      take_return(c, nest, ev, ids);
}

int fargs_db_calls_finish(struct fargs_db_calls *c)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < c->nr_nests && !ret; i++)
		ret = unwind(c, c->nests[i], 0);
	return ret || !c->has_single_events ? ret : fargs_db_nest_calls(c->db, c->places);
}
