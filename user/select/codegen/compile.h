/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compiler from a function's BTF to its layout (uapi/fargs_layout.h).
 */
#ifndef FARGS_LAYOUT_COMPILE_H
#define FARGS_LAYOUT_COMPILE_H

#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/refusal.h"

/* Layouts, one behind the other as FARGS_IOC_ADD takes them. Begin with zeroes. */
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
 * Appends the layout of the BTF_KIND_FUNC @func_id, for a function at @addr.
 * Returns why there is none, in *@why, and then appends nothing; 0, or -ENOMEM.
 */
int fargs_layout_compile(struct fargs_layouts *layouts, const struct btf *btf, uint32_t func_id,
			 uint64_t addr, enum fargs_refusal *why);
/*
 * The same of @func with the programs of @bound, which learn where they store;
 * NULL: none. If those make no records, @func may be NULL.
 */
int fargs_layout_compile_bound(struct fargs_layouts *layouts, const struct fargs_signature *func,
			       struct fargs_bound *bound, uint64_t addr, enum fargs_refusal *why);

#endif
