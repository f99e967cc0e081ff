/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that takes a path to its end. Registers from the given one on are used.
 */
#ifndef FARGS_EXPR_LOAD_H
#define FARGS_EXPR_LOAD_H

#include "select/codegen/gen.h"
#include "select/typing/path.h"
#include "select/typing/scalar.h"

/* r[reg] = the address of the object. */
int fargs_load_address(struct fargs_gen *gen, const struct fargs_path *path,
		       const struct fargs_node *node, unsigned int reg);
/*
 * r[reg] = the value of the scalar at the end of the path, of up to 64 bits; its sign, or
 * zeroes, in the bits above its own.
 */
int fargs_load_scalar(struct fargs_gen *gen, const struct fargs_path *path,
		      const struct fargs_scalar *scalar, const struct fargs_node *node,
		      unsigned int reg);

#endif
