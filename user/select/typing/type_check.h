/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether an expression is valid on a function, at the call or at the return.
 */
#ifndef FARGS_SELECT_TYPING_TYPE_CHECK_H
#define FARGS_SELECT_TYPING_TYPE_CHECK_H

#include <stdbool.h>

#include "abi/signature.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/typing/constant.h"

/*
 * Returns 0, or a negative value with the diagnostic about @node in @m. @is_string: the value must
 * be a string.
 */
int fargs_type_check(struct fargs_constants *constants, const struct fargs_signature *func,
		     const struct fargs_node *node, bool is_string, struct fargs_diagnostic *m);

#endif
