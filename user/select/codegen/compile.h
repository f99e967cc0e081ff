/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compiles a function's BTF to its layout (uapi/fargs_layout.h).
 */
#ifndef FARGS_SELECT_CODEGEN_COMPILE_H
#define FARGS_SELECT_CODEGEN_COMPILE_H

#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/refusal.h"

/* Consecutive layouts in the form that FARGS_IOC_ADD requires; initialize with zeroes. */
struct fargs_layouts {
	unsigned char *data;
	size_t bytes;
	size_t room;
	size_t nr;
};

void fargs_layouts_deinit(struct fargs_layouts *layouts);

struct fargs_bound;
struct fargs_signature;

/*
 * Appends the layout of the BTF_KIND_FUNC @func_id for a function at @addr. If the function cannot
 * have a layout, sets *@why and appends nothing. Returns 0 or -ENOMEM.
 */
int fargs_layout_compile(struct fargs_layouts *layouts, const struct btf *btf, uint32_t func_id,
			 uint64_t addr, enum fargs_refusal *why);
/*
 * Like fargs_layout_compile(), for @func with the programs of @bound, whose store instructions get
 * their offsets; NULL: no programs. @func may be NULL if @bound->is_silent is set.
 */
int fargs_layout_compile_bound(struct fargs_layouts *layouts, const struct fargs_signature *func,
			       struct fargs_bound *bound, uint64_t addr, enum fargs_refusal *why);

#endif
