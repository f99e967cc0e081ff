/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operators in constant expressions. Constants have no type: a result must fit into 64 bits, signed
 * or unsigned, but does not wrap.
 */
#ifndef FARGS_SELECT_TYPING_CONSTANT_OP_H
#define FARGS_SELECT_TYPING_CONSTANT_OP_H

#include "select/typing/constant.h"

/*
 * Those that return an int return 0, or a negative value with the diagnostic in @m.
 */

/* The result of the operator @kind for two operands; with the diagnostic in @m if there is none. */
__int128 fargs_constant_operate(enum fargs_node_kind kind, __int128 a, __int128 b,
				unsigned int column, struct fargs_diagnostic *m);
/* Converts *@value to the type of the cast @node. */
int fargs_constant_cast(struct fargs_constants *constants, const struct btf *btf,
			const struct fargs_node *node, __int128 *value,
			struct fargs_diagnostic *m);
/* Stores in *@value the size in bytes of the type or the value in @node, a FARGS_NODE_SIZEOF. */
int fargs_constant_sizeof(struct fargs_constants *constants, const struct fargs_signature *func,
			  const struct fargs_node *node, __int128 *value,
			  struct fargs_diagnostic *m);

#endif
