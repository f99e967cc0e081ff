/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of values that are no parameters: what a selector has fetched. Their names
 * are expressions (fargs-select(7)), which are read once for each function.
 */
#ifndef FARGS_DECODE_FETCHED_H
#define FARGS_DECODE_FETCHED_H

#include "model/event.h"

struct fargs_fetched;

/* Of the function @func_id of @btf, which must outlive it. NULL: no memory. */
struct fargs_fetched *fargs_fetched_create(const struct btf *btf, uint32_t func_id);
void fargs_fetched_destroy(struct fargs_fetched *fetched);

/* Says what @arg, of which val is there, is. What is not known stays plain. 0 or -ENOMEM. */
int fargs_fetched_describe(struct fargs_fetched *fetched, struct fargs_arg *arg);

#endif
