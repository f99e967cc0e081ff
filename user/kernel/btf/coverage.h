/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks if BTF can be that of the running kernel or of one of its modules. Raw BTF does not name
 * its build, but its functions must be symbols of that build.
 */
#ifndef FARGS_KERNEL_BTF_COVERAGE_H
#define FARGS_KERNEL_BTF_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <bpf/btf.h>

#include "kernel/sym/ksyms.h"

struct fargs_coverage {
	size_t nr_funcs;	/* function names in the BTF */
	/* Functions in the BTF that have a symbol: NAME or, for a clone, NAME.suffix. */
	size_t nr_found;
	size_t nr_symbols;	/* text symbols of the kernel or module */
};

/*
 * Counts the functions in @btf that have symbols. @module: NULL for vmlinux. Functions in the base
 * of split BTF do not count. Returns 0 or -ENOMEM.
 */
int fargs_coverage_init(struct fargs_coverage *c, const struct btf *btf,
			const struct fargs_ksyms *ksyms, const char *module);

/*
 * Is the BTF likely that of the kernel or of @module? For vmlinux, at least 99.5 % of the functions
 * in the BTF must have symbols; BTF of other kernels reaches at most about 95 %
 * (Documentation/decisions/when-is-a-btf-file-that-of-this-kernel.md). For a module, half of its
 * functions must have symbols, since symbols of init code are removed after init.
 */
bool fargs_coverage_is_likely(const struct fargs_coverage *c, const char *module);

#endif
