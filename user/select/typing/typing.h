/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Context that determines the types in an expression: the function, the constants, and whether the
 * expression is evaluated at the call or at the return.
 */
#ifndef FARGS_SELECT_TYPING_TYPING_H
#define FARGS_SELECT_TYPING_TYPING_H

#include <stdbool.h>

#include "abi/signature.h"
#include "select/syntax/diagnostic.h"
#include "select/typing/constant.h"

/* All pointers are owned by the caller. */
struct fargs_typing {
	const struct fargs_signature *func;
	struct fargs_constants *constants;
	struct fargs_diagnostic *diagnostic;
	bool is_return;
};

/* Reports a diagnostic at the column of @node. Returns the result of fargs_diagnostic_at(). */
#define fargs_typing_fail(typing, node, ...) \
	fargs_diagnostic_at((typing)->diagnostic, (node)->column, __VA_ARGS__)

#endif
