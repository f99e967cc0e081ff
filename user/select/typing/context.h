/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Context variables of a call, besides its arguments: $comm, $pid and so on.
 */
#ifndef FARGS_SELECT_TYPING_CONTEXT_H
#define FARGS_SELECT_TYPING_CONTEXT_H

#include "base/near.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/typing/scalar.h"

/*
 * Returns the enum fargs_ctx of the context variable @node, other than $ret; if there is no such
 * variable, returns a negative value with the diagnostic in @m.
 */
int fargs_context_find(const struct fargs_node *node, struct fargs_diagnostic *m);
/* Sets *@s to the type of the context variable @ctx; not for $comm, which is a string. */
void fargs_context_scalar(int ctx, struct fargs_scalar *s);
/* If near->wanted is a context variable without the '$', offers the name with the '$'. */
void fargs_context_offer(struct fargs_near *near);

#endif
