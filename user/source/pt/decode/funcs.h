/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of a recording that were selected by name.
 */
#ifndef FARGS_SOURCE_PT_DECODE_FUNCS_H
#define FARGS_SOURCE_PT_DECODE_FUNCS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "source/pt/decode/names.h"
#include "source/pt/input/input.h"

struct fargs_pt_funcs;

/*
 * Selects functions by the @nr elements of @globs: each is "GLOB", or "MODULE:GLOB", where MODULE
 * is also a glob. @in and @globs must outlive the result. Returns 0, -ENOENT with @err if a glob
 * matches no function of @in, or -ENOMEM.
 */
int fargs_pt_funcs_create(struct fargs_pt_funcs **funcs, const struct fargs_pt_input *in,
			  const char *const *globs, size_t nr, struct fargs_error_text *err);
void fargs_pt_funcs_destroy(struct fargs_pt_funcs *funcs);

bool fargs_pt_funcs_has(const struct fargs_pt_funcs *funcs, const struct fargs_pt_name *name);

#endif
