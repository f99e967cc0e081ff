/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Detects failing calls, if the type of the result can represent an error.
 */
#ifndef FARGS_SELECT_CODEGEN_FAILURE_H
#define FARGS_SELECT_CODEGEN_FAILURE_H

#include <stdbool.h>

#include "select/codegen/gen.h"

/*
 * Can the result of @func be an error? A signed integer of 32 or 64 bits can hold a negative
 * errno, and a pointer an ERR_PTR. NULL, false and narrower numbers can be regular results.
 */
bool fargs_failure_is_possible(const struct fargs_signature *func);
/*
 * Generates code for a program at the return: execution continues after the code if the result is
 * an error, else at @otherwise. Call only if fargs_failure_is_possible().
 */
int fargs_failure_require(struct fargs_gen *gen, struct fargs_label *otherwise);

#endif
