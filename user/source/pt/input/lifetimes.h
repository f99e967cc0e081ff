/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When code was where it was copied from: a module or a BPF program goes, and another one takes
 * its place. Pure.
 */
#ifndef FARGS_PT_LIFETIMES_H
#define FARGS_PT_LIFETIMES_H

#include <stddef.h>
#include <stdint.h>

#include "source/pt/input/input.h"
#include "file/pt_file.h"

/* One of the codes of an input: which, as what, and when it was copied. */
struct fargs_pt_copied {
	size_t code;			/* its number */
	uint64_t begin_ns, end_ns;
	char name[64];			/* as struct fargs_file_pt_text has it */
};

/*
 * Sets from when until when each code and each poke of @in holds, which is sorted: by what was
 * copied, in that order, by the modules that came and went, by ns, and by the symbols. Of what was
 * gone before it was copied as a whole nothing holds. Symbols of modules that came or went are
 * added, so that @in is to be sorted again. -ENOMEM.
 */
int fargs_pt_lifetimes_set(struct fargs_pt_input *in, const struct fargs_pt_copied *copied,
			   size_t nr, const struct fargs_file_pt_module *modules,
			   size_t nr_modules);

#endif
