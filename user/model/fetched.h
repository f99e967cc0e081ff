/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of values that were fetched by a selector and are no parameters. Their names are
 * expressions (fargs-select(7)), which are parsed once for each function.
 */
#ifndef FARGS_MODEL_FETCHED_H
#define FARGS_MODEL_FETCHED_H

#include "model/event.h"

struct fargs_fetched;

/* For the function @func_id of @btf, which must outlive it. NULL: no memory. */
struct fargs_fetched *fargs_fetched_create(const struct btf *btf, uint32_t func_id);
void fargs_fetched_destroy(struct fargs_fetched *fetched);

/* Fills in @arg, of which val is set. A value of unknown type stays plain. 0 or -ENOMEM. */
int fargs_fetched_describe(struct fargs_fetched *fetched, struct fargs_arg *arg);

#endif
