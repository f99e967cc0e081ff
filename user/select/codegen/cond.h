/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates code for conditions. A condition on a value that cannot be read is false, even after
 * a '!': "!(a == b)" is compiled as "a != b", and so on down to the comparisons.
 */
#ifndef FARGS_SELECT_CODEGEN_COND_H
#define FARGS_SELECT_CODEGEN_COND_H

#include <stdbool.h>

#include "select/codegen/gen.h"

/*
 * Generates code that continues after its end if @node holds (with @is_negated: if @node does not
 * hold), else at @otherwise.
 */
int fargs_cond_require(struct fargs_gen *gen, const struct fargs_node *node, bool is_negated,
		       struct fargs_label *otherwise);

/* Does @node use values that are known only at the return? */
bool fargs_cond_uses_return(const struct fargs_signature *func, const struct fargs_node *node);

#endif
