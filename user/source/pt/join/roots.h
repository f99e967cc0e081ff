/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds where the kernel enters fargs's own code, from the call stack there. */
#ifndef FARGS_SOURCE_PT_JOIN_ROOTS_H
#define FARGS_SOURCE_PT_JOIN_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"
#include "source/pt/calls/stack.h"

enum fargs_pt_root_kind {
	FARGS_PT_ROOT_DIRECT,	/* called by a pointer, or by the kernel itself */
	FARGS_PT_ROOT_FENTRY,	/* called at the entry of a function */
	FARGS_PT_ROOT_HOOK,	/* called before a return */
};

struct fargs_pt_root {
	enum fargs_pt_root_kind kind;
	size_t frame;
	size_t entered;		/* outermost of the frames of fargs's code at the top */
	bool is_inside;		/* fargs's code was already entered in an outer frame */
};

/* Finds the root of the last frame of @stack, which is not empty. @meta: traced functions. */
void fargs_pt_root_find(struct fargs_pt_root *root, const struct fargs_meta *meta,
			const struct fargs_pt_stack *stack);

/* Is frame @i what the function below it calls at its entry? */
bool fargs_pt_root_is_fentry(const struct fargs_pt_stack *stack, size_t i);

/*
 * A key for what a session has only one callback for: the entry of a call, its return, or what a
 * call does at a tracepoint. 0: unknown.
 */
uint64_t fargs_pt_root_key(const struct fargs_pt_root *root, const struct fargs_pt_stack *stack);

/* Bytes there may be before a function's call to ftrace: those of ENDBR64. */
#define FARGS_PT_ENDBR_BYTES	4

#endif
