/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds functions in BTF by name. Several functions, with different types, may have the same name.
 */
#ifndef FARGS_KERNEL_BTF_FUNCS_H
#define FARGS_KERNEL_BTF_FUNCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

struct fargs_btf_funcs;

/*
 * Indexes the functions in @btf, which must outlive the result. Functions in the base of split BTF
 * are not included. Returns NULL if there is no memory.
 */
struct fargs_btf_funcs *fargs_btf_funcs_create(const struct btf *btf);
void fargs_btf_funcs_destroy(struct fargs_btf_funcs *funcs);

/*
 * Returns the number of functions named @name, and sets *@first to an array of their indices, which
 * fargs_btf_funcs_id() converts to type ids.
 */
size_t fargs_btf_funcs_find(const struct fargs_btf_funcs *funcs, const char *name,
			    const uint32_t **first);
uint32_t fargs_btf_funcs_id(const struct fargs_btf_funcs *funcs, uint32_t index);

size_t fargs_btf_funcs_count(const struct fargs_btf_funcs *funcs);

/*
 * Did the encoder omit functions whose prototypes differ between objects (pahole's feature
 * consistent_func)? BTF does not contain the encoder's features, but a tag "bpf_kfunc" implies
 * consistent_func: pahole added these tags later than that feature, and kernels request both
 * features together. Tags in the base of split BTF do not count. Returns false if unknown.
 */
bool fargs_btf_funcs_are_consistent(const struct btf *btf);

#endif
