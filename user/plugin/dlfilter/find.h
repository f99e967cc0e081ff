/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where dlfilters are.
 */
#ifndef FARGS_DLFILTER_FIND_H
#define FARGS_DLFILTER_FIND_H

#include <stddef.h>

/*
 * What dlopen() is to be given for @file: with a slash in it, itself; else that file in the
 * working directory, or in the first directory that has it; else itself, which dlopen() looks
 * for among libraries. To be freed; NULL: no memory.
 */
char *fargs_dlfilter_find(const char *file);

/* The directories, fargs' first: the nth; NULL behind the last. Until the next call. */
const char *fargs_dlfilter_dir(size_t n);

#endif
