/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads an Intel PT recording from a fargs.dat or a perf.data file.
 */
#ifndef FARGS_SOURCE_PT_INPUT_READ_H
#define FARGS_SOURCE_PT_INPUT_READ_H

#include "base/error.h"
#include "source/pt/input/input.h"

/*
 * Fills @in, which the caller initializes, and deinitializes even on failure. @kcore: an ELF file
 * with the kernel's code, for perf.data only; NULL: none. Returns 0 or -errno with @err, which
 * contains the file's name.
 */
int fargs_pt_read(struct fargs_pt_input *in, const char *path, const char *kcore,
		  struct fargs_error_text *err);

#endif
