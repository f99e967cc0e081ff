/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From where the kernel goes to our own code, by the stack of calls that leads there.
 */
#ifndef FARGS_SOURCE_PT_JOIN_ROOTS_H
#define FARGS_SOURCE_PT_JOIN_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"
#include "source/pt/calls/stack.h"

enum fargs_pt_root_kind {
	FARGS_PT_ROOT_DIRECT,	/* our code is called by a pointer, or by the kernel itself */
	FARGS_PT_ROOT_FENTRY,	/* what a function calls at its begin */
	FARGS_PT_ROOT_HOOK,	/* what comes in front of a return */
};

struct fargs_pt_root {
	enum fargs_pt_root_kind kind;
	size_t frame;
	size_t entered;		/* the first frame that is our own code, before any other */
	bool is_inside;		/* there is some of our code above it already */
};

/* Of the last frame of @stack, of which there is one; @meta: functions that are traced. */
void fargs_pt_root_find(struct fargs_pt_root *root, const struct fargs_meta *meta,
			const struct fargs_pt_stack *stack);

/* Is frame @i what the function below it calls at its begin? */
bool fargs_pt_root_is_fentry(const struct fargs_pt_stack *stack, size_t i);

/*
 * A session has one callback for each call of a function, return of one, or for what a function
 * does where a tracepoint is. What tells these apart; 0: not known.
 */
uint64_t fargs_pt_root_key(const struct fargs_pt_root *root, const struct fargs_pt_stack *stack);

/* How many bytes may stand in front of the call of ftrace: those of ENDBR64. */
#define FARGS_PT_ENDBR_BYTES	4

#endif
