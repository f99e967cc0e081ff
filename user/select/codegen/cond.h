/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code for conditions. One on a value that cannot be read is false, also behind
 * a '!': "!(a == b)" is made "a != b", and so on down to the comparisons.
 */
#ifndef FARGS_EXPR_COND_H
#define FARGS_EXPR_COND_H

#include <stdbool.h>

#include "select/codegen/gen.h"

/* Goes on behind the code if @node holds (if not, with @is_negated), else at @otherwise. */
int fargs_cond_require(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		       struct fargs_label *otherwise);

/* Is the return needed to tell? */
bool fargs_cond_uses_return(const struct fargs_signature *func, const struct fargs_node *node);

#endif
