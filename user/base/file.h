/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whole files, also those of /proc and /sys that tell no size.
 */
#ifndef FARGS_UTIL_FILE_H
#define FARGS_UTIL_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The bytes of @path, with a NUL behind them that *@size does not count.
 * free() it. NULL with errno when it cannot be read.
 */
char *fargs_file_read(const char *path, size_t *size);
/*
 * The same of what the kernel is long in writing: calls @between with @arg each 64 KiB, so that
 * other work need not wait. The -errno that it returns ends the reading.
 */
char *fargs_file_read_amid(const char *path, size_t *size, int (*between)(void *arg), void *arg);

/*
 * The same for a file of one line: puts it into @buf without its newline, cut
 * to fit. Returns -errno.
 */
int fargs_file_line(const char *path, char *buf, size_t size);

/* Is procfs, or sysfs, where programs look for it? Containers may be without them. */
bool fargs_file_has_proc(void);
bool fargs_file_has_sys(void);

#endif
