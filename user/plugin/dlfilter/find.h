/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds dlfilters by name.
 */
#ifndef FARGS_PLUGIN_DLFILTER_FIND_H
#define FARGS_PLUGIN_DLFILTER_FIND_H

#include <stddef.h>

/*
 * Returns the argument for dlopen(): @file itself if it contains a slash; else the path of that
 * file in the working directory, or in the first directory of fargs_dlfilter_dir() that contains
 * it; else @file, which dlopen() looks up in the library search path. The caller frees the result
 * with free(). NULL: out of memory.
 */
char *fargs_dlfilter_find(const char *file);

/*
 * Returns entry @n in the list of directories that are searched for filters; NULL after the last
 * entry. Entry 0 is fargs' own directory. The string is valid until the next call.
 */
const char *fargs_dlfilter_dir(size_t n);

#endif
