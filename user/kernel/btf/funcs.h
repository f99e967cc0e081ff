/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions in a BTF by name. A name can occur several times, with different types.
 */
#ifndef FARGS_KERNEL_BTF_FUNCS_H
#define FARGS_KERNEL_BTF_FUNCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

struct fargs_btf_funcs;

/* Of split BTF, only its own functions. @btf must outlive the result. NULL: no memory. */
struct fargs_btf_funcs *fargs_btf_funcs_create(const struct btf *btf);
void fargs_btf_funcs_destroy(struct fargs_btf_funcs *funcs);

/* Number of BTF_KIND_FUNC named @name; fargs_btf_funcs_id() maps (*@first)[i] to an id. */
size_t fargs_btf_funcs_find(const struct fargs_btf_funcs *funcs, const char *name,
			    const uint32_t **first);
uint32_t fargs_btf_funcs_id(const struct fargs_btf_funcs *funcs, uint32_t index);

size_t fargs_btf_funcs_count(const struct fargs_btf_funcs *funcs);

/*
 * Did the encoder omit functions whose prototypes differ between objects (pahole's
 * consistent_func)? BTF does not record that, but pahole learnt to tag kfuncs later, and kernels
 * request both in one list of features: a "bpf_kfunc" tag proves it. Split BTF is judged by its own
 * tags. False: unknown.
 */
bool fargs_btf_funcs_are_consistent(const struct btf *btf);

#endif
