/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds strings in an array that may hold duplicates, such as symbols and BTF functions by name.
 * Built once, in linear time.
 */
#ifndef FARGS_BASE_STRINDEX_H
#define FARGS_BASE_STRINDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct fargs_strindex {
	const char *const *keys;	/* owned by the caller, must outlive the index */
	struct fargs_hash groups;	/* groups of equal keys, by number */
	uint32_t *starts;		/* start of each group in order; one more at the end */
	uint32_t *order;		/* indexes of keys, grouped, ascending in each group */
};

/* Returns 0 or -ENOMEM. @nr: at most UINT32_MAX / 4. */
int fargs_strindex_init(struct fargs_strindex *ix, const char *const *keys, size_t nr);
void fargs_strindex_deinit(struct fargs_strindex *ix);

/* Returns the number of keys equal to @key; *@first points to their indexes. */
size_t fargs_strindex_find(const struct fargs_strindex *ix, const char *key,
			   const uint32_t **first);

#endif
