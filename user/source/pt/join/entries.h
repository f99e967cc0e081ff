/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the calls of fargs's own code for which one session has only one callback: where there are
 * more calls than that, some of the executions are other sessions'.
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
 * Adds a call of fargs's code for @key (roots.h), for which one session calls it at most @nr_most
 * times. Returns 0 or -ENOMEM.
 */
int fargs_pt_entries_add(struct fargs_pt_entries *e, uint64_t key, size_t nr_most);
/* Call after the last fargs_pt_entries_add(). */
void fargs_pt_entries_sort(struct fargs_pt_entries *e);

/*
 * Marks those of @nr tokens as optional that may belong to other sessions, and merges tokens of
 * which one is this session's, no matter which. @keys: the key of each token, merged likewise.
 * Returns the number of tokens left.
 */
size_t fargs_pt_entries_sort_out(const struct fargs_pt_entries *e,
				 const struct fargs_pt_caller *callers,
				 struct fargs_pt_token *tokens, uint64_t *keys, size_t nr);

#endif
