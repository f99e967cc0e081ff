/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves kernel addresses as perf presents them to dlfilters: the address itself, in the dso
 * [kernel.kallsyms] or [MODULE].
 */
#ifndef FARGS_PLUGIN_DLFILTER_KERNEL_AL_H
#define FARGS_PLUGIN_DLFILTER_KERNEL_AL_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/dlfilter/api.h"

struct fargs_ksyms;

/* Cache that owns the names of dsos. All zeroes: empty. */
struct fargs_kernel_dsos {
	char **names;
	size_t nr;
};

void fargs_kernel_dsos_deinit(struct fargs_kernel_dsos *dsos);

/*
 * Returns the name of @module's dso, "[MODULE]"; NULL: out of memory. All calls for the same module
 * return the same pointer.
 */
const char *fargs_kernel_dsos_get(struct fargs_kernel_dsos *dsos, const char *module);

bool fargs_kernel_has(uint64_t addr);

/* Fills @al for @addr; @ksyms may be NULL. */
void fargs_kernel_al_set(struct fargs_dlfilter_al *al, uint64_t addr,
			 const struct fargs_ksyms *ksyms, struct fargs_kernel_dsos *dsos);

#endif
