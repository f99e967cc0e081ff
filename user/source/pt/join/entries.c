// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/entries.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"

/* A call of fargs's code at the place @key, where one session makes at most @nr_most calls. */
struct fargs_pt_entry {
	uint64_t key;
	uint32_t nr_most;
};

void fargs_pt_entries_deinit(struct fargs_pt_entries *e)
{
	free(e->all);
}

int fargs_pt_entries_add(struct fargs_pt_entries *e, uint64_t key, size_t nr_most)
{
	struct fargs_pt_entry *to = fargs_array_add(e->all, e->nr);

	if (!to)
		return -ENOMEM;
	*to = (struct fargs_pt_entry){ key, (uint32_t)nr_most };
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct fargs_pt_entry *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

void fargs_pt_entries_sort(struct fargs_pt_entries *e)
{
	if (e->nr)
		qsort(e->all, e->nr, sizeof(*e->all), compare_entries);
}

/* Returns the number of calls at the place @key; *@nr_most: maximum number by one session. */
static size_t count_entries(const struct fargs_pt_entries *e, uint64_t key, size_t *nr_most)
{
	size_t low = 0, high = e->nr, mid, nr = 0;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (e->all[mid].key < key)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low + nr < e->nr && e->all[low + nr].key == key; nr++)
		;
	*nr_most = key && nr ? e->all[low].nr_most : 0;
	return nr;
}

static bool is_same_call(const struct fargs_pt_caller *callers, const struct fargs_pt_token *a,
			 const struct fargs_pt_token *b)
{
	const struct fargs_pt_caller *x = callers + a->caller, *y = callers + b->caller;

	return a->nr_callers == 1 && b->nr_callers == 1 && a->makers == b->makers &&
	       !a->is_optional && !b->is_optional && x->ip == y->ip && x->node == y->node;
}

/*
 * One entry into fargs's code served several sessions, of which those that did not trace the task
 * have no token. So at most one of the tokens of the call is this session's, and it does not matter
 * which: makes token @i stand for all that directly follow each other, as in sort_out().
 */
static size_t sort_out_several(const struct fargs_pt_caller *callers,
			       struct fargs_pt_token *tokens, const uint64_t *keys,
			       size_t nr_tokens, size_t i)
{
	struct fargs_pt_token *t = &tokens[i];
	size_t nr = 1;

	for (; i + nr < nr_tokens; nr++) {
		if (keys[i + nr] != keys[i] || !t[nr].is_several)
			break;
		if (!is_same_call(callers, t, &t[nr]))
			break;
		if (t[nr].last_tsc > t->last_tsc)
			t->last_tsc = t[nr].last_tsc;
	}
	t->is_optional = true;
	return nr;
}

/*
 * Marks token @i as optional if it may belong to another session. But if the tokens of its key
 * directly follow each other in the same call, and each session has one of them, makes token @i
 * stand for all of them: exactly one of them is this session's, and it does not matter which.
 * Returns the number of tokens for which token @i stands now.
 */
static size_t sort_out(const struct fargs_pt_entries *e, const struct fargs_pt_caller *callers,
		       struct fargs_pt_token *tokens, const uint64_t *keys, size_t nr_tokens,
		       size_t i)
{
	struct fargs_pt_token *t = &tokens[i];
	size_t nr_most, nr, k;

	if (t->is_hole)
		return 1;
	if (t->is_several)
		return sort_out_several(callers, tokens, keys, nr_tokens, i);
	nr = count_entries(e, keys[i], &nr_most);
	if (nr <= nr_most) {
		t->is_optional |= !nr_most;
		return 1;
	}
	for (k = 1; nr_most == 1 && k < nr && i + k < nr_tokens; k++)
		if (keys[i + k] != keys[i] || t[k].is_hole || !is_same_call(callers, t, &t[k]))
			break;
	if (k < nr) {
		t->is_optional = true;
		return 1;
	}
	for (k = 1; k < nr; k++)
		if (t[k].last_tsc > t->last_tsc)
			t->last_tsc = t[k].last_tsc;
	return nr;
}

size_t fargs_pt_entries_sort_out(const struct fargs_pt_entries *e,
				 const struct fargs_pt_caller *callers,
				 struct fargs_pt_token *tokens, uint64_t *keys, size_t nr)
{
	size_t i, step, nr_left = 0;

	for (i = 0; i < nr; i += step) {
		step = sort_out(e, callers, tokens, keys, nr, i);
		keys[nr_left] = keys[i];
		tokens[nr_left++] = tokens[i];
	}
	return nr_left;
}
