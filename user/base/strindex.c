// SPDX-License-Identifier: GPL-2.0-only
#include "base/strindex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Assigns equal keys to the same group, and numbers the groups in order of their first keys. Sets
 * @group_of[i] to the group of key i, and @firsts[g] to the first key of group g. Returns the
 * number of groups. The hash table must have room for all of them.
 */
static uint32_t make_groups(struct fargs_strindex *ix, size_t nr, uint32_t *group_of,
			    uint32_t *firsts)
{
	uint32_t nr_groups = 0, hash, at, group, i;

	for (i = 0; i < nr; i++) {
		hash = fargs_hash_string(ix->keys[i]);
		fargs_hash_for_each(group, at, &ix->groups, hash)
			if (!strcmp(ix->keys[firsts[group]], ix->keys[i]))
				break;
		if (group == FARGS_HASH_NONE) {
			group = nr_groups++;
			firsts[group] = i;
			fargs_hash_add(&ix->groups, hash, group);
		}
		group_of[i] = group;
	}
	return nr_groups;
}

int fargs_strindex_reserve(struct fargs_strindex *ix, size_t nr)
{
	ix->group_of = malloc((nr + 1) * sizeof(*ix->group_of));
	ix->starts = calloc(nr + 1, sizeof(*ix->starts));
	ix->order = malloc((nr + 1) * sizeof(*ix->order));
	if (ix->group_of && ix->starts && ix->order && !fargs_hash_reserve(&ix->groups, nr))
		return 0;
	fargs_strindex_deinit(ix);
	return -ENOMEM;
}

void fargs_strindex_fill(struct fargs_strindex *ix, const char *const *keys, size_t nr)
{
	uint32_t nr_groups, i;

	ix->keys = keys;
	nr_groups = make_groups(ix, nr, ix->group_of, ix->order);
	for (i = 0; i < nr; i++)
		ix->starts[ix->group_of[i]]++;
	/*
	 * Counting sort: replaces the size of each group by its end. Filling the groups from their
	 * ends then turns each end into the start.
	 */
	for (i = 1; i <= nr_groups; i++)
		ix->starts[i] += ix->starts[i - 1];
	for (i = nr; i-- > 0;)
		ix->order[--ix->starts[ix->group_of[i]]] = i;
	free(ix->group_of);
	ix->group_of = NULL;
}

int fargs_strindex_init(struct fargs_strindex *ix, const char *const *keys, size_t nr)
{
	*ix = (struct fargs_strindex){ };
	if (fargs_strindex_reserve(ix, nr))
		return -ENOMEM;
	fargs_strindex_fill(ix, keys, nr);
	return 0;
}

void fargs_strindex_deinit(struct fargs_strindex *ix)
{
	fargs_hash_deinit(&ix->groups);
	free(ix->starts);
	free(ix->order);
	free(ix->group_of);
	memset(ix, 0, sizeof(*ix));
}

size_t fargs_strindex_find(const struct fargs_strindex *ix, const char *key, const uint32_t **first)
{
	uint32_t hash = fargs_hash_string(key), at, group;

	fargs_hash_for_each(group, at, &ix->groups, hash) {
		*first = ix->order + ix->starts[group];
		if (!strcmp(ix->keys[**first], key))
			return ix->starts[group + 1] - ix->starts[group];
	}
	return 0;
}
