/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds strings in an array of them that may hold the same one many times:
 * symbols and BTF functions by name. Built once in linear time.
 */
#ifndef FARGS_UTIL_STRINDEX_H
#define FARGS_UTIL_STRINDEX_H

#include <stddef.h>
#include <stdint.h>

struct fargs_strindex {
	const char *const *keys;	/* the caller's, must outlive the index */
	uint32_t *starts;		/* of each bucket, in @order; one more at the end */
	uint32_t *order;		/* indexes of keys, equal ones side by side and rising */
	uint32_t mask;
};

/* Returns -ENOMEM. @nr: at most UINT32_MAX / 4. */
int fargs_strindex_init(struct fargs_strindex *ix, const char *const *keys, size_t nr);
void fargs_strindex_deinit(struct fargs_strindex *ix);

/* How many keys equal @key; their indexes begin at *@first. */
size_t fargs_strindex_find(const struct fargs_strindex *ix, const char *key,
			   const uint32_t **first);

#endif
