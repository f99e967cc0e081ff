/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often our own code was called for what one session has but one callback for: where it was
 * called more often than that, some of the executions are other sessions'.
 */
#ifndef FARGS_SOURCE_PT_JOIN_ENTRIES_H
#define FARGS_SOURCE_PT_JOIN_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/join/align.h"

struct fargs_pt_entry;

/* All zeroes: none. */
struct fargs_pt_entries {
	struct fargs_pt_entry *all;
	size_t nr;
};

void fargs_pt_entries_deinit(struct fargs_pt_entries *e);

/*
 * Our code was called for @key (roots.h), for which one session calls it @nr_most times at most.
 * -ENOMEM.
 */
int fargs_pt_entries_add(struct fargs_pt_entries *e, uint64_t key, size_t nr_most);
/* When all are there. */
void fargs_pt_entries_sort(struct fargs_pt_entries *e);

/*
 * Marks those of @nr tokens as optional that may be of several sessions, and makes one of tokens
 * of which one is ours, whichever. @keys: of each, changed like these. How many tokens are left.
 */
size_t fargs_pt_entries_sort_out(const struct fargs_pt_entries *e,
				 const struct fargs_pt_caller *callers,
				 struct fargs_pt_token *tokens, uint64_t *keys, size_t nr);

#endif
