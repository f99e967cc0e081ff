/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of errors, those that the kernel keeps to itself included.
 */
#ifndef FARGS_UTIL_ERRNAME_H
#define FARGS_UTIL_ERRNAME_H

#include <stdint.h>

/* Pointers and numbers from -1 down to this, negated, can be errors (MAX_ERRNO). */
#define FARGS_ERRNO_MAX	4095

/* "ENOENT" for 2; NULL if no error has this number. */
const char *fargs_errname(int64_t err);
/* 2 for "ENOENT"; 0 if no error has this name. */
int fargs_errname_find(const char *name);

#endif
