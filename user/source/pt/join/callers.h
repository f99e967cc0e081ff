/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the calls for which an execution of fargs's own code may write a record. */
#ifndef FARGS_SOURCE_PT_JOIN_CALLERS_H
#define FARGS_SOURCE_PT_JOIN_CALLERS_H

#include <stddef.h>

#include "model/meta.h"
#include "source/pt/join/align.h"
#include "source/pt/join/roots.h"
#include "source/pt/join/seq_sites.h"

/* All callers, to which tokens refer by index. Initialize all members but @meta with zeroes. */
struct fargs_pt_callers {
	const struct fargs_meta *meta;	/* lists the traced functions */
	struct fargs_pt_caller *all;
	size_t nr, room;
};

void fargs_pt_callers_deinit(struct fargs_pt_callers *callers);

/*
 * Adds the calls that return through the hook in frame @hook: the call of the frame below the hook,
 * and calls in that frame that jumped to the next function (tail calls). Returns their number, 0 if
 * it is unknown, or -ENOMEM.
 */
int fargs_pt_callers_add_returning(struct fargs_pt_callers *callers,
				   const struct fargs_pt_site_context *c, size_t hook);

/*
 * Adds the possible callers of execution @t in capture path @path (enum fargs_path), where fargs's
 * code was entered from @root (NULL: unknown), and sets t->makers. Returns 0, 1 if the execution
 * certainly belongs to another session, or -ENOMEM.
 */
int fargs_pt_callers_add(struct fargs_pt_callers *callers, const struct fargs_pt_site_context *c,
			 const struct fargs_pt_root *root, size_t path, struct fargs_pt_token *t);

#endif
