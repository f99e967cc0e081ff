// SPDX-License-Identifier: GPL-2.0-only
#include "session/task_history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum source { FORKED, CHANGED, FOUND };

struct entry {
	struct fargs_task_name name;
	enum source source;
	/*
	 * if @source is FOUND: time when the scan of /proc began; if FORKED: time when
	 * name.task.ns_tid was read
	 */
	uint64_t other_tsc;
};

struct fargs_task_history {
	struct entry *entries;
	size_t nr, room, max;
	bool is_settled;	/* sorted by tid, then time, without outdated entries */
	uint64_t known_from_tsc;
	fargs_task_is_there_fn is_there;
};

struct fargs_task_history *fargs_task_history_create(size_t max, fargs_task_is_there_fn is_there)
{
	struct fargs_task_history *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->max = max;
	h->is_there = is_there;
	return h;
}

void fargs_task_history_destroy(struct fargs_task_history *h)
{
	if (!h)
		return;
	free(h->entries);
	free(h);
}

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	uint64_t tx = x->name.from_tsc, ty = y->name.from_tsc;

	if (x->name.task.tid != y->name.task.tid)
		return x->name.task.tid < y->name.task.tid ? -1 : 1;
	return tx < ty ? -1 : tx > ty;
}

/* Returns the index after the last entry that has the same task as entry @first. */
static size_t end_of(const struct fargs_task_history *h, size_t first)
{
	size_t i = first;

	while (i < h->nr && h->entries[i].name.task.tid == h->entries[first].name.task.tid)
		i++;
	return i;
}

/*
 * Had the tid of @e been reused for another task when its ns_tid was read? @end: end of the entries
 * with this tid.
 */
static bool is_tid_reused(const struct entry *e, const struct entry *end)
{
	const struct entry *next;

	for (next = e + 1; next < end; next++)
		if (next->source == FORKED)
			return next->name.from_tsc <= e->other_tsc;
	return false;
}

/*
 * Removes outdated entries of one task and fills in ns_tid. A name found by scanning /proc is
 * dropped if a TASK record was written during the scan, because the record is at least as new. A
 * fork sets a new ns_tid; a change of name keeps the task's previous ns_tid.
 */
static size_t settle_one(struct entry *to, const struct entry *from, const struct entry *end)
{
	struct entry *const first = to;

	for (; from < end; from++) {
		if (from->source == FOUND && to > first && to[-1].name.from_tsc >= from->other_tsc)
			continue;
		/* @to is never beyond @from, so entries still to be read are intact. */
		memmove(to, from, sizeof(*to));
		if (from->source == FORKED && is_tid_reused(from, end))
			to->name.task.ns_tid = FARGS_NSPID_GONE;
		if (from->source == CHANGED && to > first)
			to->name.task.ns_tid = to[-1].name.task.ns_tid;
		to++;
	}
	return to - first;
}

static void settle(struct fargs_task_history *h)
{
	size_t i, end, nr = 0;

	if (h->is_settled)
		return;
	if (h->nr)
		qsort(h->entries, h->nr, sizeof(*h->entries), compare);
	for (i = 0; i < h->nr; i = end) {
		end = end_of(h, i);
		nr += settle_one(h->entries + nr, h->entries + i, h->entries + end);
	}
	h->nr = nr;
	h->is_settled = true;
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Returns the median time of the entries or, if out of memory, UINT64_MAX, so that all names count
 * as old.
 */
static uint64_t middle_time(const struct fargs_task_history *h)
{
	uint64_t *times = malloc(h->nr * sizeof(*times)), middle;
	size_t i;

	if (!times)
		return UINT64_MAX;
	for (i = 0; i < h->nr; i++)
		times[i] = h->entries[i].name.from_tsc;
	qsort(times, h->nr, sizeof(*times), compare_times);
	middle = times[h->nr / 2];
	free(times);
	return middle;
}

/*
 * Keeps names newer than the median, and the last name of each task that still exists. Names of
 * exited tasks are dropped, as there may be very many.
 */
static void drop_old(struct fargs_task_history *h)
{
	uint64_t middle;
	size_t i, nr = 0;

	settle(h);
	middle = middle_time(h);
	for (i = 0; i < h->nr; i++) {
		const struct fargs_task_name *name = &h->entries[i].name;
		bool is_last = i + 1 == h->nr ||
			       h->entries[i + 1].name.task.tid != name->task.tid;

		if (name->from_tsc > middle || (is_last && h->is_there(name->task.tid)))
			h->entries[nr++] = h->entries[i];
	}
	h->nr = nr;
	/*
	 * Raise the limit if few names were dropped, so that this function does not run again soon.
	 */
	while (h->nr > h->max / 4 * 3)
		h->max *= 2;
}

static int add(struct fargs_task_history *h, const struct entry *entry)
{
	struct entry *entries;
	size_t room;

	if (h->nr >= h->max)
		drop_old(h);
	if (h->nr == h->room) {
		room = h->room ? 2 * h->room : 256;
		entries = realloc(h->entries, room * sizeof(*entries));
		if (!entries)
			return -ENOMEM;
		h->entries = entries;
		h->room = room;
	}
	h->entries[h->nr++] = *entry;
	h->is_settled = false;
	return 0;
}

int fargs_task_history_record(struct fargs_task_history *h, const struct fargs_task_change *change,
			      uint64_t tsc, pid_t ns_tid, uint64_t asked_tsc)
{
	struct entry entry = {
		.name = { .from_tsc = tsc, .is_known = true, .task = change->task },
		.source = change->new_tid ? FORKED : CHANGED,
		.other_tsc = asked_tsc,
	};

	if (tsc <= h->known_from_tsc)
		return 0;
	/*
	 * Only the record of a fork has a new ns_tid. For a change of name, settle_one() copies the
	 * task's previous ns_tid, if known.
	 */
	entry.name.task.ns_tid = change->new_tid ? ns_tid : FARGS_NSPID_GONE;
	return add(h, &entry);
}

int fargs_task_history_found(struct fargs_task_history *h, const struct fargs_task *task,
			     uint64_t begin_tsc, uint64_t end_tsc)
{
	const struct entry entry = {
		.name = { .from_tsc = end_tsc, .is_known = true, .task = *task },
		.source = FOUND,
		.other_tsc = begin_tsc,
	};

	return add(h, &entry);
}

void fargs_task_history_forget(struct fargs_task_history *h, uint64_t until_tsc)
{
	h->nr = 0;
	h->known_from_tsc = until_tsc;
}

/*
 * Writes the names of task @tid since @from_tsc to @to, and returns the position after them. The
 * entries of the task are [@i, @end); there may be none.
 */
static struct fargs_task_name *take_one(const struct fargs_task_history *h, size_t i, size_t end,
				   pid_t tid, uint64_t from_tsc, struct fargs_task_name *to)
{
	while (i + 1 < end && h->entries[i + 1].name.from_tsc <= from_tsc)
		i++;
	if (i == end || h->entries[i].name.from_tsc > from_tsc)
		*to++ = (struct fargs_task_name){ .from_tsc = from_tsc, .task.tid = tid };
	for (; i < end; i++)
		*to++ = h->entries[i].name;
	return to;
}

int fargs_task_history_take(struct fargs_task_history *h, uint64_t from_tsc,
			    const struct fargs_tid_set *tids, struct fargs_task_name **names,
			    size_t *nr)
{
	struct fargs_task_name *to;
	size_t i = 0, end;
	pid_t tid;

	settle(h);
	*nr = 0;
	to = *names = malloc((h->nr + fargs_tid_set_count(tids) + 1) * sizeof(**names));
	if (!to)
		return -ENOMEM;
	for (tid = fargs_tid_set_next(tids, 0); tid >= 0; tid = fargs_tid_set_next(tids, tid + 1)) {
		while (i < h->nr && h->entries[i].name.task.tid < tid)
			i++;
		end = i < h->nr && h->entries[i].name.task.tid == tid ? end_of(h, i) : i;
		to = take_one(h, i, end, tid, from_tsc, to);
		i = end;
	}
	*nr = to - *names;
	return 0;
}
