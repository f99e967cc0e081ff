/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the root of a call stack in fargs's own code: the place where the kernel entered that code.
 */
#ifndef FARGS_SOURCE_PT_JOIN_ROOTS_H
#define FARGS_SOURCE_PT_JOIN_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"
#include "source/pt/calls/stack.h"

/* How the kernel entered fargs's own code. */
enum fargs_pt_root_kind {
	FARGS_PT_ROOT_DIRECT,	/* by a call in other kernel code, such as a tracepoint */
	FARGS_PT_ROOT_FENTRY,	/* by the call at the entry of a traced function */
	FARGS_PT_ROOT_HOOK,	/* by a call in a hook, to which a function returned */
};

struct fargs_pt_root {
	enum fargs_pt_root_kind kind;
	/*
	 * Index of a frame. With FARGS_PT_ROOT_FENTRY: of the ftrace call at the function's entry;
	 * with FARGS_PT_ROOT_HOOK: of the hook; with FARGS_PT_ROOT_DIRECT: equal to @entered.
	 */
	size_t frame;
	/*
	 * Index of the lowest of the contiguous frames, from the top frame down, that are in
	 * fargs's code.
	 */
	size_t entered;
	bool is_inside;		/* a frame below @entered is also in fargs's code */
};

/* Finds the root of the top frame of @stack, which must not be empty. @meta: traced functions. */
void fargs_pt_root_find(struct fargs_pt_root *root, const struct fargs_meta *meta,
			const struct fargs_pt_stack *stack);

/* Returns whether frame @i is the ftrace call at the entry of the function in frame @i - 1. */
bool fargs_pt_root_is_fentry(const struct fargs_pt_stack *stack, size_t i);

/*
 * Returns a key that identifies the place at which fargs's code was entered: the entry of a certain
 * call, its return, or a tracepoint in it. Each session has one callback at such a place. Returns 0
 * if the place is unknown.
 */
uint64_t fargs_pt_root_key(const struct fargs_pt_root *root, const struct fargs_pt_stack *stack);

/* Size of ENDBR64, which may be before a function's call to ftrace. */
#define FARGS_PT_ENDBR_BYTES	4

#endif
