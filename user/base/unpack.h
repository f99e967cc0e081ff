/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unpacks compressed files by running xz, zstd or gzip. A distribution that compresses its modules
 * also installs the program for it.
 */
#ifndef FARGS_BASE_UNPACK_H
#define FARGS_BASE_UNPACK_H

#include "base/error.h"

/*
 * Opens @path for reading. If its name ends with .xz, .zst or .gz, unpacks the file into memory.
 * Returns a file descriptor, or -errno with the reason in @err.
 */
int fargs_unpack_open(const char *path, struct fargs_error_text *err);

#endif
