/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the most frequent strings. At most FARGS_TOP_MAX distinct strings are kept: a further
 * string replaces the rarest and inherits its count, so the new string's count is too high by at
 * most the inherited count (Metwally, Agrawal, El Abbadi 2005, "space saving").
 */
#ifndef FARGS_BASE_TOP_H
#define FARGS_BASE_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define FARGS_TOP_MAX	256

struct fargs_top_entry {
	uint32_t hash;
	uint64_t nr;
	uint64_t too_many;	/* maximum by which @nr may exceed the true count */
	char *text;
	size_t len;
};

/* A set of counted strings. Initialise with zeroes. */
struct fargs_top {
	struct fargs_top_entry *entries;
	size_t nr;
	struct fargs_hash by_text;
	uint64_t total;
};

void fargs_top_deinit(struct fargs_top *top);
/* Counts @text once. Returns 0 or -ENOMEM. */
int fargs_top_add(struct fargs_top *top, const char *text, size_t len);
/* Sorts by count, then by text. Nothing can be added afterwards. */
void fargs_top_sort(struct fargs_top *top);

#endif
