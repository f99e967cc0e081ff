/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves addresses as perf presents them to dlfilters: relative to the file that is mapped there.
 * With a copy of /proc/kcore, that file is the copy, for modules as well; without one, addresses of
 * the kernel are what they are, in the dso [kernel.kallsyms] or [MODULE].
 */
#ifndef FARGS_PLUGIN_DLFILTER_AL_H
#define FARGS_PLUGIN_DLFILTER_AL_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/dlfilter/api.h"

struct fargs_build_id;
struct fargs_dso;
struct fargs_ksyms;
struct fargs_pt_input;

/* What is known of a kernel. */
struct fargs_kernel {
	const struct fargs_ksyms *ksyms;	/* NULL: unknown */
	const struct fargs_build_id *id;	/* NULL: unknown */
	const struct fargs_pt_input *kcore;	/* has the segments of the copy; NULL: none */
};

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

/* Fills @al for the kernel's address @addr. */
void fargs_kernel_al_set(struct fargs_dlfilter_al *al, uint64_t addr,
			 const struct fargs_kernel *kernel, struct fargs_kernel_dsos *dsos);

/* Fills @al for the code at offset @at of @dso, a program or library. */
void fargs_dso_al_set(struct fargs_dlfilter_al *al, const struct fargs_dso *dso, uint64_t at);

#endif
