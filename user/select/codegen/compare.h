/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates code for a single comparison. Numbers are compared by value, not by their bits: -1 is
 * less than any unsigned number.
 */
#ifndef FARGS_SELECT_CODEGEN_COMPARE_H
#define FARGS_SELECT_CODEGEN_COMPARE_H

#include <stdbool.h>

#include "select/codegen/gen.h"

/*
 * Generates code that jumps to @is_true if @node holds or, with @is_negated, if @node does not
 * hold. @node is a comparison, a bit test, or a value, which is compared with 0. Otherwise, and if
 * a value cannot be read, execution continues after the code.
 */
int fargs_compare(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		  struct fargs_label *is_true);

#endif
