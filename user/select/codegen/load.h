/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates code that follows a struct fargs_path. The code uses r[reg] and the registers after it.
 */
#ifndef FARGS_SELECT_CODEGEN_LOAD_H
#define FARGS_SELECT_CODEGEN_LOAD_H

#include "select/codegen/gen.h"
#include "select/typing/fetch.h"
#include "select/typing/path.h"
#include "select/typing/scalar.h"

/* Generates r[reg] = address of the object at the end of the path. */
int fargs_load_address(struct fargs_gen *gen, const struct fargs_path *path,
		       const struct fargs_node *node, unsigned int reg);
/*
 * Generates r[reg] = value of the scalar at the end of the path. The scalar has up to 64 bits, and
 * is sign- or zero-extended to 64 bits.
 */
int fargs_load_scalar(struct fargs_gen *gen, const struct fargs_path *path,
		      const struct fargs_scalar *scalar, const struct fargs_node *node,
		      unsigned int reg);
/* Generates r[reg] = address of the string or range that @fetch describes. */
int fargs_load_fetch(struct fargs_gen *gen, const struct fargs_fetch *fetch, unsigned int reg);

#endif
