/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compressed files, unpacked by the programs that every distribution has for it: it has
 * to have them for its own compressed modules.
 */
#ifndef FARGS_UTIL_UNPACK_H
#define FARGS_UTIL_UNPACK_H

#include "base/error.h"

/*
 * Opens @path for reading: itself or, if its name ends with .xz, .zst or .gz, a file in
 * memory with what is in it. A file descriptor, or -errno with the reason in @err.
 */
int fargs_unpack_open(const char *path, struct fargs_error_text *err);

#endif
