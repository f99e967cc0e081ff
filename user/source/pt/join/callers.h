/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of which an execution of our own code may make a record.
 */
#ifndef FARGS_SOURCE_PT_JOIN_CALLERS_H
#define FARGS_SOURCE_PT_JOIN_CALLERS_H

#include <stddef.h>

#include "model/meta.h"
#include "source/pt/join/align.h"
#include "source/pt/join/roots.h"
#include "source/pt/join/seq_sites.h"

/* All of them, to which tokens refer by their index. All zeroes but @meta: none. */
struct fargs_pt_callers {
	const struct fargs_meta *meta;	/* functions that are traced */
	struct fargs_pt_caller *all;
	size_t nr;
};

void fargs_pt_callers_deinit(struct fargs_pt_callers *callers);

/*
 * Adds the calls whose return goes through the hook at frame @hook: that of the frame below, and
 * those that jumped there. How many; 0: that is not known; -ENOMEM.
 */
int fargs_pt_callers_add_returning(struct fargs_pt_callers *callers,
				   const struct fargs_pt_site_context *c, size_t hook);

/*
 * Adds who called our code from @root (NULL: not known), which captures by @path (enum fargs_path),
 * and sets what @t makes. 1: it is of another session, for sure; -ENOMEM.
 */
int fargs_pt_callers_add(struct fargs_pt_callers *callers, const struct fargs_pt_site_context *c,
			 const struct fargs_pt_root *root, size_t path, struct fargs_pt_token *t);

#endif
