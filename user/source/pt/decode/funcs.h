/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of a recording that a person has named.
 */
#ifndef FARGS_PT_FUNCS_H
#define FARGS_PT_FUNCS_H

#include <stdbool.h>
#include <stddef.h>

#include "source/pt/input/input.h"
#include "source/pt/decode/names.h"
#include "base/error.h"

struct fargs_pt_funcs;

/*
 * Those that @nr @globs say: each "GLOB", or "MODULE:GLOB" of a module (a glob, too). @in and
 * @globs must outlive it. -ENOENT with @err if one of them stands for no function of @in;
 * -ENOMEM.
 */
int fargs_pt_funcs_create(struct fargs_pt_funcs **funcs, const struct fargs_pt_input *in,
			  const char *const *globs, size_t nr, struct fargs_error_text *err);
void fargs_pt_funcs_destroy(struct fargs_pt_funcs *funcs);

bool fargs_pt_funcs_has(const struct fargs_pt_funcs *funcs, const struct fargs_pt_name *name);

#endif
