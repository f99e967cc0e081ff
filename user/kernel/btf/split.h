/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does split BTF belong to the BTF it is put upon? Nothing in it says so, but
 * upon other BTF all its types and names would be wrong ones.
 */
#ifndef FARGS_BTF_SPLIT_H
#define FARGS_BTF_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

#include <bpf/btf.h>

#include "base/error.h"

/* False: @data was made upon other BTF than @base, or is no BTF. */
bool fargs_btf_split_fits(const void *data, size_t bytes, const struct btf *base);

/*
 * Puts split BTF with a .BTF.base of its own upon @base instead. The types of
 * .BTF.base are those of @base that have the same kind, name and size; where one
 * has none, or several that differ, there is no telling.
 *
 * Returns what replaces @data, its size in *@relocated_bytes, free() it; or NULL
 * with the reason in @err.
 */
void *fargs_btf_split_relocate(const void *data, size_t bytes, const void *own_base,
			       size_t own_base_bytes, const struct btf *base,
			       size_t *relocated_bytes, struct fargs_error_text *err);

#endif
