/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code for the values of kernel objects (select/typing/printer.h).
 */
#ifndef FARGS_SELECT_CODEGEN_OBJECT_H
#define FARGS_SELECT_CODEGEN_OBJECT_H

#include "select/codegen/binder.h"
#include "select/typing/fetch.h"

/*
 * Generates code that appends the value @f, of kind FARGS_FETCH_TREE, _SOCKADDR or _PACKET, to the
 * record under the name of @node. Returns 0, or a negative value with the diagnostic set.
 */
int fargs_object_put(struct fargs_binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		     const struct fargs_fetch *f);

#endif
