/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of this machine's kernel, for a recording that has none.
 */
#ifndef FARGS_SOURCE_PT_INPUT_RUNNING_CODE_H
#define FARGS_SOURCE_PT_INPUT_RUNNING_CODE_H

#include "base/error.h"
#include "source/pt/input/input.h"

/*
 * Copies the code of the kernel in memory, because /proc/kcore cannot be mapped, and adds it to
 * @in, which owns the copy. @kcore and @kallsyms: the files of /proc. Returns 0 or -errno with
 * @err.
 */
int fargs_running_code_add(struct fargs_pt_input *in, const char *kcore, const char *kallsyms,
			   struct fargs_error_text *err);

#endif
