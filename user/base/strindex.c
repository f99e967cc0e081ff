// SPDX-License-Identifier: GPL-2.0-only
#include "base/strindex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a: short keys, no attacker, and the buckets are scanned by strcmp anyway. */
static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h ^ h >> 15;
}

/* Buckets hold one or two keys; stable, so that equal keys keep their order. */
static void sort_bucket(const char *const *keys, uint32_t *order, size_t nr)
{
	size_t i, j;

	for (i = 1; i < nr; i++) {
		uint32_t k = order[i];

		for (j = i; j && strcmp(keys[order[j - 1]], keys[k]) > 0; j--)
			order[j] = order[j - 1];
		order[j] = k;
	}
}

int fargs_strindex_init(struct fargs_strindex *ix, const char *const *keys, size_t nr)
{
	uint32_t nr_buckets = 16;
	uint32_t *hashes;
	size_t i;

	while (nr_buckets < nr)
		nr_buckets *= 2;
	memset(ix, 0, sizeof(*ix));
	ix->keys = keys;
	ix->mask = nr_buckets - 1;
	ix->starts = calloc(nr_buckets + 1, sizeof(*ix->starts));
	ix->order = malloc((nr + 1) * sizeof(*ix->order));
	hashes = malloc((nr + 1) * sizeof(*hashes));
	if (!ix->starts || !ix->order || !hashes) {
		free(hashes);
		fargs_strindex_deinit(ix);
		return -ENOMEM;
	}

	for (i = 0; i < nr; i++) {
		hashes[i] = hash(keys[i]) & ix->mask;
		ix->starts[hashes[i]]++;
	}
	/* Counts become ends; filling from the back turns the ends into starts. */
	for (i = 1; i <= nr_buckets; i++)
		ix->starts[i] += ix->starts[i - 1];
	for (i = nr; i-- > 0;)
		ix->order[--ix->starts[hashes[i]]] = i;
	for (i = 0; i < nr_buckets; i++)
		sort_bucket(keys, ix->order + ix->starts[i], ix->starts[i + 1] - ix->starts[i]);
	free(hashes);
	return 0;
}

void fargs_strindex_deinit(struct fargs_strindex *ix)
{
	free(ix->starts);
	free(ix->order);
	memset(ix, 0, sizeof(*ix));
}

size_t fargs_strindex_find(const struct fargs_strindex *ix, const char *key, const uint32_t **first)
{
	uint32_t bucket = hash(key) & ix->mask;
	uint32_t i, end = ix->starts[bucket + 1];
	size_t nr = 0;

	for (i = ix->starts[bucket]; i < end; i++) {
		if (strcmp(ix->keys[ix->order[i]], key)) {
			if (nr)
				break;
			continue;
		}
		if (!nr)
			*first = ix->order + i;
		nr++;
	}
	return nr;
}
