/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Can BTF be that of the running kernel, or of one of its modules? Raw BTF names
 * no build it belongs to; but its functions are symbols of that build.
 */
#ifndef FARGS_LAYOUT_COVERAGE_H
#define FARGS_LAYOUT_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <bpf/btf.h>

#include "kernel/sym/ksyms.h"

struct fargs_coverage {
	size_t nr_funcs;	/* names of functions in the BTF */
	size_t nr_found;	/* of those, symbols: NAME, or a clone NAME.something */
	size_t nr_symbols;	/* text symbols of the kernel or module */
};

/* @module: NULL for vmlinux. Of split BTF, its own functions are looked at. -ENOMEM. */
int fargs_coverage_init(struct fargs_coverage *c, const struct btf *btf,
			const struct fargs_ksyms *ksyms, const char *module);

/*
 * Of the kernel itself all but 0.5 % must be found, which no other kernel came near
 * (see Documentation/kernels.md for what was measured). The symbols of a module's
 * init code are gone once it runs, so of a module's functions half must be.
 */
bool fargs_coverage_is_likely(const struct fargs_coverage *c, const char *module);

#endif
