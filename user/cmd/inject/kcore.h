/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies the kernel's code of a recording of perf record --kcore.
 */
#ifndef FARGS_CMD_INJECT_KCORE_H
#define FARGS_CMD_INJECT_KCORE_H

#include "base/error.h"

/* Name of the directory with the code of the host; a guest's has another one. */
#define FARGS_INJECT_KCORE	"kcore_dir"

/*
 * Copies the directory @from as @name into the directory of descriptor @to. Returns 0, or -errno
 * with @err.
 */
int fargs_inject_copy_kcore(const char *from, int to, const char *name,
			    struct fargs_error_text *err);
/* Removes what fargs_inject_copy_kcore() has created. */
void fargs_inject_remove_kcore(int to, const char *name);

#endif
