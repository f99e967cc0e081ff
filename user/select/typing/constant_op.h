/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operators in constant expressions. Results are exact: they must fit into 64 bits, signed or
 * unsigned, but do not wrap. For the types of C, see constant_type.h.
 */
#ifndef FARGS_SELECT_TYPING_CONSTANT_OP_H
#define FARGS_SELECT_TYPING_CONSTANT_OP_H

#include "select/typing/constant.h"
#include "select/typing/scalar.h"

/*
 * Those that return an int return 0, or a negative value with the diagnostic in @m.
 */

/* The result of the operator @kind for two operands; with the diagnostic in @m if there is none. */
__int128 fargs_constant_operate(enum fargs_node_kind kind, __int128 a, __int128 b,
				unsigned int column, struct fargs_diagnostic *m);
/* Converts *@value to the type of the cast @node, and sets *@scalar to that type. */
int fargs_constant_cast(struct fargs_constants *constants, const struct btf *btf,
			const struct fargs_node *node, struct fargs_scalar *scalar,
			__int128 *value, struct fargs_diagnostic *m);
/* Stores in *@value the size in bytes of the type or the value in @node, a FARGS_NODE_SIZEOF. */
int fargs_constant_sizeof(struct fargs_constants *constants, const struct fargs_signature *func,
			  const struct fargs_node *node, __int128 *value,
			  struct fargs_diagnostic *m);

#endif
