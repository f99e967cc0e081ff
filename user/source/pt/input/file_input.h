/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the Intel PT recording of a fargs.dat file (file/pt_file.h).
 */
#ifndef FARGS_SOURCE_PT_INPUT_FILE_INPUT_H
#define FARGS_SOURCE_PT_INPUT_FILE_INPUT_H

#include "base/error.h"
#include "source/pt/input/input.h"

/*
 * Fills @in, which the caller initializes, and deinitializes even on failure. Returns 0; -ENODATA
 * with @err if the file contains no Intel PT; or another -errno with @err.
 */
int fargs_pt_file_input_read(struct fargs_pt_input *in, const char *path,
			     struct fargs_error_text *err);

#endif
