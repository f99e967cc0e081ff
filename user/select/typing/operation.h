/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Type-checks values that are computed from others: the operands and the result of an operator.
 */
#ifndef FARGS_SELECT_TYPING_OPERATION_H
#define FARGS_SELECT_TYPING_OPERATION_H

#include "select/typing/ctype.h"
#include "select/typing/path.h"
#include "select/typing/scalar.h"

struct fargs_operand {
	const struct fargs_node *node;
	bool is_constant;
	__int128 value;			/* of a constant */
	struct fargs_scalar scalar;	/* the operand's own type */
	/* What a pointer points to, and its size; 1 for void and functions. */
	struct fargs_ctype target;
	uint64_t target_bytes;
	/* In pointer arithmetic, the number is multiplied by this; else 1. */
	uint64_t scale;
};

struct fargs_operation {
	struct fargs_operand a;
	struct fargs_operand b;		/* not for FARGS_NODE_NEGATIVE and _INVERT */
	struct fargs_scalar common;	/* type to which the operands are converted */
	struct fargs_scalar result;
	struct fargs_ctype type;	/* type of a result that is a pointer */
	unsigned int shift;		/* number of bits to shift a difference of pointers by */
};

/*
 * Checks @node, an arithmetic operator, FARGS_NODE_NEGATIVE or FARGS_NODE_INVERT, with at least one
 * operand that is no constant. Returns 0, or a negative value with the diagnostic in @m.
 */
int fargs_operation_init(struct fargs_operation *op, struct fargs_constants *constants,
			 const struct fargs_signature *func, const struct fargs_node *node,
			 struct fargs_diagnostic *m);
/* Checks whether @node is a number, and sets its type; not for constants. */
int fargs_operand_init(struct fargs_operand *operand, struct fargs_constants *constants,
		       const struct fargs_signature *func, const struct fargs_node *node,
		       struct fargs_diagnostic *m);
/*
 * Fills @path, which is all zeroes, for a value that is computed: the result of an operator, a
 * cast, &, container_of() or the element of an array whose index is a value.
 */
int fargs_operation_path(struct fargs_path *path, struct fargs_constants *constants,
			 const struct fargs_signature *func, const struct fargs_node *node,
			 struct fargs_diagnostic *m);

#endif
