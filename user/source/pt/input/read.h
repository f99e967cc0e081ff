/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An Intel PT recording, of fargs or of perf.
 */
#ifndef FARGS_PT_READ_H
#define FARGS_PT_READ_H

#include "source/pt/input/input.h"
#include "base/error.h"

/*
 * Fills @in, which the caller has initialized, and deinits also on failure. @kcore: for
 * perf.data, an ELF file with the kernel's code; may be NULL. -errno with @err, which names
 * the file.
 */
int fargs_pt_read(struct fargs_pt_input *in, const char *path, const char *kcore,
		  struct fargs_error_text *err);

#endif
