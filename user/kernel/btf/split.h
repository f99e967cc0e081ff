/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks if split BTF belongs to a given base. Split BTF does not identify its base; with another
 * base, all its types and names would be wrong. Also converts split BTF that has a .BTF.base to
 * another base.
 */
#ifndef FARGS_KERNEL_BTF_SPLIT_H
#define FARGS_KERNEL_BTF_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

#include <bpf/btf.h>

#include "base/error.h"

/* Does split BTF @data fit @base? Returns false if it was made for another base, or is not BTF. */
bool fargs_btf_split_fits(const void *data, size_t bytes, const struct btf *base);

/*
 * Converts split BTF @data, whose file has the .BTF.base @own_base, to base @base. Types of
 * .BTF.base are mapped to types of @base with the same kind, name and size. It is an error if a
 * type has no counterpart, or several.
 *
 * Returns the converted BTF, which the caller frees, with its size in *@relocated_bytes; or NULL
 * with the reason in @err.
 */
void *fargs_btf_split_relocate(const void *data, size_t bytes, const void *own_base,
			       size_t own_base_bytes, const struct btf *base,
			       size_t *relocated_bytes, struct fargs_error_text *err);

#endif
