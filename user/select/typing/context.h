/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Context of a call, beside its arguments: $comm, $pid and so on.
 */
#ifndef FARGS_SELECT_TYPING_CONTEXT_H
#define FARGS_SELECT_TYPING_CONTEXT_H

#include "base/near.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/typing/scalar.h"

/* enum fargs_ctx of the context @node, other than $ret; negative with the diagnostic: unknown. */
int fargs_context_find(const struct fargs_node *node, struct fargs_diagnostic *m);
/* Type of its value; not for $comm, which is a string. */
void fargs_context_scalar(int ctx, struct fargs_scalar *s);
/* Offers the context, with its $, that was written without it. */
void fargs_context_offer(struct fargs_near *near);

#endif
