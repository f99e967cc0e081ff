/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adds the kernel's code and symbols to the input from a perf.data file, wherever they are.
 */
#ifndef FARGS_SOURCE_PT_INPUT_KERNEL_INPUT_H
#define FARGS_SOURCE_PT_INPUT_KERNEL_INPUT_H

#include "base/error.h"
#include "source/perf_data/file.h"
#include "source/perf_data/kernel_files.h"
#include "source/pt/input/input.h"

/*
 * Adds the code in @files, if there is some. Returns 0 or -errno with @err.
 */
int fargs_kernel_code_add(struct fargs_pt_input *in, const struct fargs_kernel_files *files,
			  struct fargs_error_text *err);

/*
 * Call after in->config and in->kernel are set. @kcore: an ELF file whose code is used; NULL:
 * none. If code is missing, or may differ from what was executed, adds a note. Returns 0 or -errno
 * with @err.
 */
int fargs_kernel_input_add(struct fargs_pt_input *in, const struct fargs_perf_file *file,
			   const char *kcore, struct fargs_error_text *err);

#endif
