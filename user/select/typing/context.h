/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of a call besides its arguments: $comm, $pid and so on.
 */
#ifndef FARGS_EXPR_CONTEXT_H
#define FARGS_EXPR_CONTEXT_H

#include "select/syntax/mistake.h"
#include "select/syntax/node.h"
#include "select/typing/scalar.h"
#include "base/near.h"

/* enum fargs_ctx of the context @node, which is not $ret; negative: there is none. */
int fargs_context_find(const struct fargs_node *node, struct fargs_mistake *m);
/* Its value; $comm has none: it is a string. */
void fargs_context_scalar(int ctx, struct fargs_scalar *s);
/* Offers, with its $, the one that was meant without. */
void fargs_context_offer(struct fargs_near *near);

#endif
