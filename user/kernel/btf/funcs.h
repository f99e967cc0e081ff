/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that one BTF describes, by name. A name can be there several
 * times, with different types.
 */
#ifndef FARGS_BTF_FUNCS_H
#define FARGS_BTF_FUNCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

struct fargs_btf_funcs;

/*
 * Of split BTF: only its own. @btf must outlive it. NULL: no memory.
 */
struct fargs_btf_funcs *fargs_btf_funcs_create(const struct btf *btf);
void fargs_btf_funcs_destroy(struct fargs_btf_funcs *funcs);

/* How many BTF_KIND_FUNC have that name; the i-th one's id by the second. */
size_t fargs_btf_funcs_find(const struct fargs_btf_funcs *funcs, const char *name,
			    const uint32_t **first);
uint32_t fargs_btf_funcs_id(const struct fargs_btf_funcs *funcs, uint32_t index);

size_t fargs_btf_funcs_count(const struct fargs_btf_funcs *funcs);

/*
 * Did the encoder leave out every function whose prototypes differ between
 * objects (pahole's consistent_func)? BTF does not say so itself. pahole learnt
 * to tag kfuncs later than that, and kernels ask for both in one list of
 * features, so that a "bpf_kfunc" tag proves it. Split BTF is judged alone. False: not known.
 */
bool fargs_btf_funcs_are_consistent(const struct btf *btf);

#endif
