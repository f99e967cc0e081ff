/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads an Intel PT recording from a fargs.dat or a perf.data file.
 */
#ifndef FARGS_SOURCE_PT_INPUT_READ_H
#define FARGS_SOURCE_PT_INPUT_READ_H

#include "base/error.h"
#include "source/pt/input/input.h"

/*
 * Fills @in. The caller initializes @in and deinitializes it, also on failure. @kcore: for
 * perf.data only, an ELF file with the kernel's code; may be NULL. Returns 0 or -errno with @err,
 * which names the file.
 */
int fargs_pt_read(struct fargs_pt_input *in, const char *path, const char *kcore,
		  struct fargs_error_text *err);

#endif
