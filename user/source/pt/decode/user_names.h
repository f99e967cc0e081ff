/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the function of a program, a library or a JIT compiler at an address of a space, at a time
 * of the trace.
 */
#ifndef FARGS_SOURCE_PT_DECODE_USER_NAMES_H
#define FARGS_SOURCE_PT_DECODE_USER_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/names.h"
#include "source/pt/input/input.h"

/* Threads may share the struct. */
struct fargs_pt_user_names;

/* @in must outlive the result. Returns NULL if out of memory. */
struct fargs_pt_user_names *fargs_pt_user_names_create(const struct fargs_pt_input *in);
void fargs_pt_user_names_destroy(struct fargs_pt_user_names *u);

/* Like fargs_pt_names_find(). @space: index in in->spaces; -1: unknown. */
void fargs_pt_user_names_find(const struct fargs_pt_user_names *u, int32_t space, uint64_t addr,
			      uint64_t ns, struct fargs_pt_name *name);

/* Returns whether a function begins at @addr in some space, at some time. */
bool fargs_pt_user_names_begins(const struct fargs_pt_user_names *u, uint64_t addr);

#endif
