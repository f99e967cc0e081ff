/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unpacks compressed files with xz, zstd or gzip, which every distribution installs if its modules
 * are compressed.
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
