/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code for a single comparison, by the values that numbers have, not by their bits:
 * -1 is less than any unsigned number.
 */
#ifndef FARGS_EXPR_COMPARE_H
#define FARGS_EXPR_COMPARE_H

#include <stdbool.h>

#include "select/codegen/gen.h"

/*
 * Jumps to @is_true if @node (a comparison, a bit test, or a value, which is
 * compared with 0) holds, or if it does not, with @is_negated. Goes on behind the
 * code otherwise, and if a value cannot be read.
 */
int fargs_compare(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		  struct fargs_label *is_true);

#endif
