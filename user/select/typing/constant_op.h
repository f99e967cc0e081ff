/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operators in constant expressions. Constants have no type: a result must fit into 64 bits, signed
 * or unsigned, but does not wrap.
 */
#ifndef FARGS_SELECT_TYPING_CONSTANT_OP_H
#define FARGS_SELECT_TYPING_CONSTANT_OP_H

#include "select/typing/constant.h"

/*
 * All return 0, or a negative value with the diagnostic in @m.
 */

/* Converts *@value to the type of the cast @node. */
int fargs_constant_cast(struct fargs_constants *constants, const struct btf *btf,
			const struct fargs_node *node, __int128 *value,
			struct fargs_diagnostic *m);
/* Stores in *@value the size in bytes of the type or the value in @node, a FARGS_NODE_SIZEOF. */
int fargs_constant_sizeof(struct fargs_constants *constants, const struct fargs_signature *func,
			  const struct fargs_node *node, __int128 *value,
			  struct fargs_diagnostic *m);
/* Applies the operator @node to the operands *@value and @b; *@value becomes the result. */
int fargs_constant_operate(const struct fargs_node *node, __int128 b,
			   __int128 *value, struct fargs_diagnostic *m);

#endif
