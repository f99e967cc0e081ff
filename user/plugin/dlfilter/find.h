/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds dlfilters by name.
 */
#ifndef FARGS_PLUGIN_DLFILTER_FIND_H
#define FARGS_PLUGIN_DLFILTER_FIND_H

#include <stddef.h>

/*
 * Returns the argument for dlopen(): @file itself if it contains a slash; else that file in the
 * working directory, or in the first of the directories that has it; else @file, which dlopen()
 * searches for among libraries. To be freed with free(); NULL: out of memory.
 */
char *fargs_dlfilter_find(const char *file);

/*
 * Returns the nth directory, starting with fargs' own; NULL after the last. The string is valid
 * until the next call.
 */
const char *fargs_dlfilter_dir(size_t n);

#endif
