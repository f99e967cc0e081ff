/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates code for a single comparison. Numbers are compared by value, not by their bits: -1 is
 * less than any unsigned number.
 */
#ifndef FARGS_SELECT_CODEGEN_COMPARE_H
#define FARGS_SELECT_CODEGEN_COMPARE_H

#include <stdbool.h>

#include "select/codegen/gen.h"
#include "select/typing/scalar.h"

/*
 * Generates code that jumps to @is_true if @node holds or, with @is_negated, if @node does not
 * hold. @node is a comparison, a bit test, or a value, which is compared with 0. Otherwise, and if
 * a value cannot be read, execution continues after the code.
 */
int fargs_compare(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		  struct fargs_label *is_true);

/* Checks whether a value @node of type @s can relate to the constant @value of @side. */
int fargs_compare_check(struct fargs_gen *gen, const struct fargs_node *node,
			enum fargs_node_kind kind, const struct fargs_scalar *s,
			const struct fargs_node *side, __int128 value);
/*
 * Generates code that jumps to @is_true if the comparison @kind holds for r0 and r1, numbers of the
 * types @sa and @sb.
 */
void fargs_compare_registers(struct fargs_gen *gen, const struct fargs_scalar *sa,
			     const struct fargs_scalar *sb, enum fargs_node_kind kind,
			     struct fargs_label *is_true);
/*
 * Generates code that jumps to @is_true if the string @node matches one of the patterns in the list
 * @strings or, if @kind is FARGS_NODE_NE, none of them.
 */
int fargs_compare_strings(struct fargs_gen *gen, const struct fargs_node *node,
			  const struct fargs_node *strings, enum fargs_node_kind kind,
			  struct fargs_label *is_true);

#endif
