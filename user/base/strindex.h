/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds strings in an array that may hold duplicates, such as symbols and BTF functions by name.
 * The index is built once, in linear time.
 */
#ifndef FARGS_BASE_STRINDEX_H
#define FARGS_BASE_STRINDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct fargs_strindex {
	const char *const *keys;	/* owned by the caller, must outlive the index */
	/* Maps the hash of a key to the number of its group of equal keys. */
	struct fargs_hash groups;
	/* Start of each group in order[], followed by the end of the last group. */
	uint32_t *starts;
	uint32_t *order;		/* indexes of keys, sorted by group, then ascending */
	uint32_t *group_of;		/* used while filling; NULL afterwards */
};

/* Builds the index of @nr keys, at most UINT32_MAX / 4. Returns 0 or -ENOMEM. */
int fargs_strindex_init(struct fargs_strindex *ix, const char *const *keys, size_t nr);
/*
 * The two halves of fargs_strindex_init(), for an index that may not be needed: reserving allocates
 * the memory for @nr keys, but does not touch it; filling cannot fail. @ix must be zeroed before.
 */
int fargs_strindex_reserve(struct fargs_strindex *ix, size_t nr);
void fargs_strindex_fill(struct fargs_strindex *ix, const char *const *keys, size_t nr);
void fargs_strindex_deinit(struct fargs_strindex *ix);

/* Returns the number of keys equal to @key; *@first points to the indexes of these keys. */
size_t fargs_strindex_find(const struct fargs_strindex *ix, const char *key,
			   const uint32_t **first);

#endif
