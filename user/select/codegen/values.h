/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds the values that programs store: in the record's body, or appended to the record. All
 * functions return 0, or -errno with the diagnostic of the binder.
 */
#ifndef FARGS_SELECT_CODEGEN_VALUES_H
#define FARGS_SELECT_CODEGEN_VALUES_H

#include "select/codegen/binder.h"
#include "select/syntax/node.h"

/* Adds the value of @node to @program, unless every record has that value anyway. */
int fargs_values_add(struct fargs_binder *b, enum fargs_prog program,
		     const struct fargs_node *node);
/* Adds the values of the list that starts with @node, which may be NULL. */
int fargs_values_add_all(struct fargs_binder *b, enum fargs_prog program,
			 const struct fargs_node *node);
/* Adds the structs that parameters point to. */
int fargs_values_add_derefs(struct fargs_binder *b);
/* Adds a struct that is returned in memory. */
int fargs_values_add_returned(struct fargs_binder *b);
/* Adds the callers, if the options request them. */
int fargs_values_add_stack(struct fargs_binder *b);

/*
 * Reserves room for an appended value of at most @max bytes, called like @node, and remembers how
 * many values of the body were requested before it. Returns the offset of its name in the pool, or
 * a negative value with the diagnostic set.
 */
int fargs_values_append(struct fargs_binder *b, const struct fargs_gen *gen,
			const struct fargs_node *node, unsigned int max);

#endif
