/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the calls of fargs's own code. Each session calls it once at a given place, such as the
 * entry of a given call. If there are more calls at the same place, some belong to other sessions.
 */
#ifndef FARGS_SOURCE_PT_JOIN_ENTRIES_H
#define FARGS_SOURCE_PT_JOIN_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/join/align.h"

struct fargs_pt_entry;

/* Initialize with zeroes. */
struct fargs_pt_entries {
	struct fargs_pt_entry *all;
	size_t nr;
};

void fargs_pt_entries_deinit(struct fargs_pt_entries *e);

/*
 * Adds a call of fargs's code at the place identified by @key (roots.h), where one session calls it
 * at most @nr_most times. Returns 0 or -ENOMEM.
 */
int fargs_pt_entries_add(struct fargs_pt_entries *e, uint64_t key, size_t nr_most);
/* Must be called after the last fargs_pt_entries_add(). */
void fargs_pt_entries_sort(struct fargs_pt_entries *e);

/*
 * A token (align.h) stands for the execution of a sequence site. Marks tokens as optional if their
 * executions may belong to other sessions. But if the tokens of a key directly follow each other in
 * the same call, and each session has one of them, replaces these tokens by one: exactly one of
 * them is this session's, and it does not matter which. @keys: the key (roots.h) of each of the @nr
 * tokens; keys of tokens that are removed are removed, too. Returns the number of tokens left.
 */
size_t fargs_pt_entries_sort_out(const struct fargs_pt_entries *e,
				 const struct fargs_pt_caller *callers,
				 struct fargs_pt_token *tokens, uint64_t *keys, size_t nr);

#endif
