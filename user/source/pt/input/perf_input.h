/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The Intel PT recording in a perf.data.
 */
#ifndef FARGS_PT_PERF_INPUT_H
#define FARGS_PT_PERF_INPUT_H

#include "source/pt/input/input.h"
#include "base/error.h"

/*
 * Fills @in, which the caller has initialized, and deinits also on failure. @kcore: an ELF
 * file with the kernel's code, instead of that in the recording; may be NULL. -errno with @err.
 */
int fargs_perf_input_read(struct fargs_pt_input *in, const char *path, const char *kcore,
			  struct fargs_error_text *err);

#endif
