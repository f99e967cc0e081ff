/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a value make sense on a function, whether it is the call or the return?
 */
#ifndef FARGS_EXPR_SENSE_H
#define FARGS_EXPR_SENSE_H

#include <stdbool.h>

#include "select/typing/constant.h"
#include "select/syntax/mistake.h"
#include "select/syntax/node.h"
#include "abi/signature.h"

/* 0, or negative with what is wrong with @node in @m. @is_string: it is to be one. */
int fargs_sense_check(struct fargs_constants *constants, const struct fargs_signature *func,
		      const struct fargs_node *node, bool is_string, struct fargs_mistake *m);

#endif
