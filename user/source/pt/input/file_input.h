/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The Intel PT recording in a trace file of fargs (pt/pt_file.h).
 */
#ifndef FARGS_PT_FILE_INPUT_H
#define FARGS_PT_FILE_INPUT_H

#include "source/pt/input/input.h"
#include "base/error.h"

/*
 * Fills @in, which the caller has initialized, and deinits also on failure. -ENODATA: there is
 * no Intel PT in it; -errno; with @err.
 */
int fargs_pt_file_input_read(struct fargs_pt_input *in, const char *path,
			     struct fargs_error_text *err);

#endif
