/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes when copied code was valid at its address: modules and BPF programs are unloaded, and
 * others are loaded at the same place. Pure.
 */
#ifndef FARGS_SOURCE_PT_INPUT_LIFETIMES_H
#define FARGS_SOURCE_PT_INPUT_LIFETIMES_H

#include <stddef.h>
#include <stdint.h>

#include "file/pt_file.h"
#include "source/pt/input/input.h"

/* One code of an input, its name, and when it was copied. */
struct fargs_pt_copied {
	size_t code;			/* index in in->codes */
	uint64_t begin_ns, end_ns;
	char name[64];			/* as in struct fargs_file_pt_text */
};

/*
 * Sets the lifetime of each code and each poke of @in, which must be sorted, from @copied in the
 * order of copying, from the loading and unloading of modules in @modules, sorted by ns, and from
 * the symbols. Code that was freed before its copy was complete is dropped: its bytes become 0.
 * Adds symbols of modules that were loaded or unloaded, so @in must be sorted again. Returns 0 or
 * -ENOMEM.
 */
int fargs_pt_lifetimes_set(struct fargs_pt_input *in, const struct fargs_pt_copied *copied,
			   size_t nr, const struct fargs_file_pt_module *modules,
			   size_t nr_modules);

#endif
