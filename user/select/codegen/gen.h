/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Context for generating one program of one function.
 */
#ifndef FARGS_SELECT_CODEGEN_GEN_H
#define FARGS_SELECT_CODEGEN_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/signature.h"
#include "select/codegen/code.h"
#include "select/syntax/diagnostic.h"
#include "select/typing/typing.h"

struct fargs_gen {
	const struct fargs_signature *func;
	struct fargs_constants *constants;
	struct fargs_code *code;
	struct fargs_pool *pool;
	struct fargs_diagnostic *diagnostic;
	uint32_t tsc_khz;
	bool is_return;		/* the program runs when the function returns */
};

/* Returns the context for type-checking the expressions of the program that @gen generates. */
static inline struct fargs_typing fargs_gen_typing(const struct fargs_gen *gen)
{
	return (struct fargs_typing){
		.func = gen->func, .constants = gen->constants, .diagnostic = gen->diagnostic,
		.is_return = gen->is_return,
	};
}

/*
 * Reports a diagnostic at the column of @node. @gen: pointer to any struct with a member
 * diagnostic. Returns the negative code of the diagnostic.
 */
#define fargs_gen_fail(gen, node, ...) \
	fargs_diagnostic_at((gen)->diagnostic, (node)->column, __VA_ARGS__)

#endif
