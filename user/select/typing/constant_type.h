/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The C types of constant expressions, which matter beside a value: "n * (u64)4" has 64 bits.
 */
#ifndef FARGS_SELECT_TYPING_CONSTANT_TYPE_H
#define FARGS_SELECT_TYPING_CONSTANT_TYPE_H

#include "select/typing/constant.h"
#include "select/typing/scalar.h"

struct fargs_typed_constant {
	__int128 value;
	struct fargs_scalar scalar;
};

/*
 * Evaluates the constant expression @node like fargs_constant_eval(), but with the types of C, and
 * finds its type. As in C, unsigned numbers wrap; a signed result that does not fit its
 * type has the next larger type that it fits. Returns 0, or a negative value with the diagnostic in
 * @m.
 */
int fargs_constant_type(struct fargs_constants *constants, const struct fargs_signature *func,
			const struct fargs_node *node, uint32_t enum_id,
			struct fargs_typed_constant *result, struct fargs_diagnostic *m);

#endif
