/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the names of the kernel's flags from enums in BTF. Each function returns false if BTF has
 * no such enum.
 */
#ifndef FARGS_KERNEL_VALUE_BTF_FLAGS_H
#define FARGS_KERNEL_VALUE_BTF_FLAGS_H

#include <bpf/btf.h>

#include "kernel/value/flags.h"

/* Takes the enumerators of enum @name that are a single bit. */
bool fargs_btf_flags_enum(struct fargs_flag_table *to, const struct btf *btf, const char *name);

/* gfp_t: the enumerators ___GFP_NAME_BIT are the numbers of bits (since Linux 6.9). */
bool fargs_btf_flags_gfp(struct fargs_flag_table *to, const struct btf *btf);
/* vm_flags_t: the enumerators VMA_NAME_BIT are the numbers of bits (since Linux 6.18). */
bool fargs_btf_flags_vm(struct fargs_flag_table *to, const struct btf *btf);
/* slab_flags_t: the enumerators _SLAB_NAME are the numbers of bits (since Linux 6.9). */
bool fargs_btf_flags_slab(struct fargs_flag_table *to, const struct btf *btf);
/* blk_opf_t: an enum req_op in the lowest bits, and bits that enum req_flag_bits numbers. */
bool fargs_btf_flags_blk_opf(struct fargs_flag_table *to, const struct btf *btf);

#endif
