/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole files, also those of /proc and /sys that tell no size.
 */
#ifndef FARGS_UTIL_FILE_H
#define FARGS_UTIL_FILE_H

#include <stddef.h>

/*
 * The bytes of @path, with a NUL behind them that *@size does not count.
 * free() it. NULL with errno when it cannot be read.
 */
char *fargs_file_read(const char *path, size_t *size);

/*
 * The same for a file of one line: puts it into @buf without its newline, cut
 * to fit. Returns -errno.
 */
int fargs_file_line(const char *path, char *buf, size_t size);

#endif
