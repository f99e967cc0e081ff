// SPDX-License-Identifier: GPL-2.0-only
#include "base/top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

void fargs_top_deinit(struct fargs_top *top)
{
	while (top->nr)
		free(top->entries[--top->nr].text);
	free(top->entries);
	*top = (struct fargs_top){ };
}

uint64_t fargs_top_hash(const char *text, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325ull;
	size_t i;

	for (i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3ull;
	return hash;
}

static struct fargs_top_entry *find(struct fargs_top *top, uint64_t hash, const char *text,
				    size_t len)
{
	struct fargs_top_entry *e;

	for (e = top->entries; e < top->entries + top->nr; e++)
		if (e->hash == hash && e->len == len && !memcmp(e->text, text, len))
			return e;
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

int fargs_top_add(struct fargs_top *top, const char *text, size_t len)
{
	uint64_t hash = fargs_top_hash(text, len), before = 0;
	struct fargs_top_entry *e = find(top, hash, text, len);
	char *copy;

	if (!e) {
		copy = malloc(len + 1);
		if (!copy)
			return -ENOMEM;
		memcpy(copy, text, len);
		copy[len] = '\0';
		if (top->nr < FARGS_TOP_MAX) {
			e = fargs_grow(top->entries, top->nr, sizeof(*e));
			if (!e) {
				free(copy);
				return -ENOMEM;
			}
			top->entries = e;
			e += top->nr++;
		} else {
			e = rarest(top);
			before = e->nr;
			free(e->text);
		}
		*e = (struct fargs_top_entry){
			.hash = hash, .nr = before, .too_many = before, .text = copy, .len = len,
		};
	}
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
	if (top->nr)
		qsort(top->entries, top->nr, sizeof(*top->entries), compare);
}
