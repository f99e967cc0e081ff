/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State of binding a selector to a function (select/codegen/bind.h).
 */
#ifndef FARGS_SELECT_CODEGEN_BINDER_H
#define FARGS_SELECT_CODEGEN_BINDER_H

#include "select/codegen/bind.h"
#include "select/codegen/gen.h"

struct fargs_binder {
	struct fargs_bound *bound;
	const struct fargs_signature *func;
	const struct fargs_bind_options *options;
	struct fargs_constants *constants;
	struct fargs_diagnostic *diagnostic;
	/* Programs for conditions that are evaluated at the call, and at the return. */
	enum fargs_prog at_call, at_return;
	/* For each program, the target of jumps from conditions that do not hold. */
	struct fargs_label rejects[FARGS_PROGS];
};

/* Returns a generator that appends to @program. */
static inline struct fargs_gen fargs_binder_gen(const struct fargs_binder *b,
						 enum fargs_prog program)
{
	return (struct fargs_gen){
		.func = b->func,
		.constants = b->constants,
		.code = &b->bound->programs[program],
		.pool = &b->bound->pool,
		.diagnostic = b->diagnostic,
		.tsc_khz = b->options->tsc_khz,
		.is_return = program == FARGS_PROG_RETURN_PREDICATE ||
			     program == FARGS_PROG_RETURN_FETCH ||
			     program == FARGS_PROG_RETURN_TRIGGER,
	};
}

#endif
