/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates code for "value in {a, b...c}". The value is loaded once.
 */
#ifndef FARGS_SELECT_CODEGEN_SET_H
#define FARGS_SELECT_CODEGEN_SET_H

#include <stdbool.h>

#include "select/codegen/gen.h"

/*
 * Like fargs_compare(), for @node of kind FARGS_NODE_IN: jumps to @is_true if the value is one of
 * the elements or, with @is_negated, if it is none of them.
 */
int fargs_set(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
	      struct fargs_label *is_true);

#endif
