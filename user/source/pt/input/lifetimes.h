/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes when copied code was valid at its address: modules and BPF programs may be unloaded, and
 * others loaded at the same address. Does no I/O.
 */
#ifndef FARGS_SOURCE_PT_INPUT_LIFETIMES_H
#define FARGS_SOURCE_PT_INPUT_LIFETIMES_H

#include <stddef.h>
#include <stdint.h>

#include "file/pt_file.h"
#include "source/pt/input/input.h"

/* When an element of in->codes was copied, and its name. */
struct fargs_pt_copied {
	size_t code;			/* index in in->codes */
	uint64_t begin_ns, end_ns;
	char name[64];			/* as in struct fargs_file_pt_text */
};

/*
 * Sets the lifetimes of all code and all pokes of @in, which must be sorted. @copied: @nr copies,
 * in the order of copying. @modules: loading and unloading of modules, sorted by ns. If code was
 * freed before its copy was complete, sets its size to 0. Adds symbols of modules that were loaded
 * or unloaded, so the caller must sort @in again. Returns 0 or -ENOMEM.
 */
int fargs_pt_lifetimes_set(struct fargs_pt_input *in, const struct fargs_pt_copied *copied,
			   size_t nr, const struct fargs_file_pt_module *modules,
			   size_t nr_modules);

#endif
