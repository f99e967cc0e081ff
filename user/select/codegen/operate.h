/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates code for values that are computed from others. A register holds a number of less than
 * 64 bits sign- or zero-extended, as its type demands. The code uses r[reg] and the registers after
 * it.
 */
#ifndef FARGS_SELECT_CODEGEN_OPERATE_H
#define FARGS_SELECT_CODEGEN_OPERATE_H

#include "select/codegen/gen.h"
#include "select/syntax/node.h"
#include "select/typing/scalar.h"

/*
 * Generates r[reg] = the value of @node, a number that is no constant. Sets *@scalar to its type.
 * Returns 0, or a negative value with the diagnostic.
 */
int fargs_operate_load(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg,
		       struct fargs_scalar *scalar);
/* Generates r[reg] = 0 or 1 for a bool, which is true whenever it is not 0. */
void fargs_operate_make_bool(struct fargs_gen *gen, unsigned int reg);
/* Generates r[reg] = the number or address that @node computes (FARGS_PATH_VALUE). */
int fargs_operate(struct fargs_gen *gen, const struct fargs_node *node, unsigned int reg);

#endif
