/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of errors, including those internal to the kernel.
 */
#ifndef FARGS_BASE_ERRNAME_H
#define FARGS_BASE_ERRNAME_H

#include <stdint.h>

/* MAX_ERRNO of the kernel: return values from -1 down to -FARGS_ERRNO_MAX can be errors. */
#define FARGS_ERRNO_MAX	4095

/* Returns "ENOENT" for 2; NULL if no error has this number. */
const char *fargs_errname(int64_t err);
/* Returns 2 for "ENOENT"; 0 if no error has this name. */
int fargs_errname_find(const char *name);

#endif
