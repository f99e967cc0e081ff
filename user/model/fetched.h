/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of values that a selector fetched, other than parameters. The name of such a value is an
 * expression (fargs-select(7)), which is parsed once for each function.
 */
#ifndef FARGS_MODEL_FETCHED_H
#define FARGS_MODEL_FETCHED_H

#include "model/event.h"

struct fargs_fetched;
struct fargs_symbolic;

/*
 * Creates a cache of types for function @func_id of @btf, called @func. All arguments must outlive
 * it. NULL: no memory.
 */
struct fargs_fetched *fargs_fetched_create(const struct btf *btf, uint32_t func_id,
					   const char *func, struct fargs_symbolic *symbolic);
void fargs_fetched_destroy(struct fargs_fetched *fetched);

/*
 * Fills in @arg, whose val is set. A value of unknown type gets FARGS_SHAPE_PLAIN. Returns 0 or
 * -ENOMEM.
 */
int fargs_fetched_describe(struct fargs_fetched *fetched, struct fargs_arg *arg);

#endif
