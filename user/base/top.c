// SPDX-License-Identifier: GPL-2.0-only
#include "base/top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"

void fargs_top_deinit(struct fargs_top *top)
{
	while (top->nr)
		free(top->entries[--top->nr].text);
	free(top->entries);
	fargs_hash_deinit(&top->by_text);
	*top = (struct fargs_top){ };
}

static struct fargs_top_entry *find(struct fargs_top *top, uint32_t hash, const char *text,
				    size_t len)
{
	struct fargs_top_entry *e;
	uint32_t at, i;

	fargs_hash_for_each(i, at, &top->by_text, hash) {
		e = &top->entries[i];
		if (e->len == len && !memcmp(e->text, text, len))
			return e;
	}
	return NULL;
}

static struct fargs_top_entry *rarest(struct fargs_top *top)
{
	struct fargs_top_entry *e, *least = top->entries;

	for (e = top->entries + 1; e < top->entries + top->nr; e++)
		if (e->nr < least->nr)
			least = e;
	return least;
}

/*
 * Returns the entry to use for a new string: a new entry or, if FARGS_TOP_MAX entries exist, the
 * entry of the rarest string, after removing it from the hash table. Returns NULL if out of memory.
 */
static struct fargs_top_entry *take_entry(struct fargs_top *top)
{
	struct fargs_top_entry *e;

	if (top->nr < FARGS_TOP_MAX) {
		e = fargs_array_add(top->entries, top->nr);
		if (e)
			*e = (struct fargs_top_entry){ };
		return e;
	}
	e = rarest(top);
	fargs_hash_remove(&top->by_text, e->hash, e - top->entries);
	return e;
}

static struct fargs_top_entry *add(struct fargs_top *top, uint32_t hash, const char *text,
				   size_t len)
{
	__cleanup_free char *copy = malloc(len + 1);
	struct fargs_top_entry *e;

	if (!copy || fargs_hash_reserve(&top->by_text, top->nr + 1))
		return NULL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	e = take_entry(top);
	if (!e)
		return NULL;
	free(e->text);
	*e = (struct fargs_top_entry){
		.hash = hash, .nr = e->nr, .too_many = e->nr, .text = fargs_take_ptr(copy),
		.len = len,
	};
	return fargs_hash_add(&top->by_text, hash, e - top->entries) ? NULL : e;
}

int fargs_top_add(struct fargs_top *top, const char *text, size_t len)
{
	uint32_t hash = fargs_hash_bytes(text, len);
	struct fargs_top_entry *e = find(top, hash, text, len);

	if (!e)
		e = add(top, hash, text, len);
	if (!e)
		return -ENOMEM;
	e->nr++;
	top->total++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct fargs_top_entry *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? 1 : -1;
	return strcmp(x->text, y->text);
}

void fargs_top_sort(struct fargs_top *top)
{
	fargs_hash_deinit(&top->by_text);
	if (top->nr)
		qsort(top->entries, top->nr, sizeof(*top->entries), compare);
}
