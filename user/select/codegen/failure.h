/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that fail, as far as the type of what they return can tell.
 */
#ifndef FARGS_EXPR_FAILURE_H
#define FARGS_EXPR_FAILURE_H

#include <stdbool.h>

#include "select/codegen/gen.h"

/*
 * Can what @func returns be an error? A signed integer of 32 or 64 bits can hold a negative
 * errno, and a pointer an ERR_PTR. NULL, false and narrower numbers are as often an answer.
 */
bool fargs_failure_is_possible(const struct fargs_signature *func);
/*
 * Code of a program at the return: goes on behind it if an error was returned, else at
 * @otherwise. Only where it is possible.
 */
int fargs_failure_require(struct fargs_gen *gen, struct fargs_label *otherwise);

#endif
