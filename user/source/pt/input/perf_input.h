/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the Intel PT recording of a perf.data file.
 */
#ifndef FARGS_SOURCE_PT_INPUT_PERF_INPUT_H
#define FARGS_SOURCE_PT_INPUT_PERF_INPUT_H

#include "base/error.h"
#include "source/pt/input/input.h"

/*
 * Fills @in, which the caller initializes, and deinitializes even on failure. @kcore: an ELF file
 * with the kernel's code, which is used instead of the code in the recording; NULL: none. Returns 0
 * or -errno with @err.
 */
int fargs_perf_input_read(struct fargs_pt_input *in, const char *path, const char *kcore,
			  struct fargs_error_text *err);
/* Reads only the configuration of the trace. Returns 0 or -errno with @err. */
int fargs_perf_input_config(struct fargs_pt_config *config, const char *path,
			    struct fargs_error_text *err);

#endif
