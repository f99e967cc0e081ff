/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads whole files, including those of /proc and /sys, which have no size.
 */
#ifndef FARGS_BASE_FILE_H
#define FARGS_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the contents of @path, to be freed with free(). A NUL follows the *@size bytes. Returns
 * NULL with errno if the file cannot be read.
 */
char *fargs_file_read(const char *path, size_t *size);
/*
 * Like fargs_file_read(), for files that the kernel generates slowly: calls @between with @arg
 * after each 64 KiB, so that the caller can do other work. If @between returns -errno, reading
 * fails with that error.
 */
char *fargs_file_read_amid(const char *path, size_t *size, int (*between)(void *arg), void *arg);

/*
 * Reads the first line of @path into @buf, without its newline, truncated to fit. Returns 0 or
 * -errno.
 */
int fargs_file_line(const char *path, char *buf, size_t size);

/* Is procfs mounted on /proc, or sysfs on /sys? In a container, they may not be mounted. */
bool fargs_file_has_proc(void);
bool fargs_file_has_sys(void);

#endif
