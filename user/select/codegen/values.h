/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The values that programs fill: in the record's body, or appended behind it. All return 0
 * or -errno with the binder's mistake.
 */
#ifndef FARGS_EXPR_VALUES_H
#define FARGS_EXPR_VALUES_H

#include "select/codegen/binder.h"
#include "select/syntax/node.h"

/* What @node says, by @program; nothing if it is in every record anyway. */
int fargs_values_add(struct fargs_binder *b, enum fargs_prog program,
		     const struct fargs_node *node);
/* Those of the list that begins with @node, which may be NULL. */
int fargs_values_add_all(struct fargs_binder *b, enum fargs_prog program,
			 const struct fargs_node *node);
/* What the parameters point to, as far as these are structs. */
int fargs_values_add_derefs(struct fargs_binder *b);
/* A struct that is returned in memory. */
int fargs_values_add_returned(struct fargs_binder *b);
/* The callers, as many as the options say. */
int fargs_values_add_stack(struct fargs_binder *b);

#endif
