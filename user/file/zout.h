/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a stream, compressed by zstd (RFC 8878) or as it is.
 */
#ifndef FARGS_FILE_ZOUT_H
#define FARGS_FILE_ZOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Initialize with zeroes for output that is not compressed. */
struct fargs_zout {
	void *ctx;		/* NULL: do not compress */
	char *buf;		/* compressed output */
	size_t room;
};

/* Returns 0 or -ENOMEM. @z need not be deinitialised after an error, but may be. */
int fargs_zout_init(struct fargs_zout *z);
void fargs_zout_deinit(struct fargs_zout *z);
/* Writes @bytes at @data to @to. Returns 0 or -errno. */
int fargs_zout_write(struct fargs_zout *z, FILE *to, const void *data, size_t bytes);
/* Ends the compressed stream. Does not flush or close @to. Returns 0 or -errno. */
int fargs_zout_end(struct fargs_zout *z, FILE *to);

#endif
