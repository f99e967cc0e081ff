/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all that makes code shares: one program of one function.
 */
#ifndef FARGS_EXPR_GEN_H
#define FARGS_EXPR_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "select/codegen/code.h"
#include "select/typing/constant.h"
#include "select/syntax/mistake.h"
#include "abi/signature.h"

struct fargs_gen {
	const struct fargs_signature *func;
	struct fargs_constants *constants;
	struct fargs_code *code;
	struct fargs_pool *pool;
	struct fargs_mistake *mistake;
	uint32_t tsc_khz;
	bool is_return;		/* it runs when the function returns */
};

/* Tells a mistake at the place of @node. @gen: whatever has a mistake. Returns it, negative. */
#define fargs_gen_fail(gen, node, ...) \
	fargs_mistake_at((gen)->mistake, (node)->column, __VA_ARGS__)

#endif
