/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The INFO chunk: "key=value" lines, values escaped as vis(3) does it. Text, so
 * that readelf -p .fargs.info shows it and keys can be added.
 */
#ifndef FARGS_FILE_INFO_H
#define FARGS_FILE_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"
#include "base/error.h"

/* Beside struct fargs_meta: about the file. */
struct fargs_file_info {
	unsigned int version;		/* FARGS_FILE_VERSION of its writer */
	char writer[32];		/* version of the program that wrote it */
	int64_t date;			/* when it was begun, seconds since 1970; 0: not known */
	uint32_t id;			/* struct fargs_chunk.file of its chunks */
	bool is_recovered;		/* from a file that was cut off */
};

/* The text for @meta and @about; free() it. NULL: no memory. */
char *fargs_info_text(const struct fargs_meta *meta, const struct fargs_file_info *about,
		      size_t *size);

/*
 * Reads such a text into @meta (info, command, hostname, ring_bytes) and
 * @about. Unknown keys are passed over. 0; -EPROTO for a newer version, or
 * -EIO, with @err saying why without naming the file.
 */
int fargs_info_parse(const char *text, size_t size, struct fargs_meta *meta,
		     struct fargs_file_info *about, struct fargs_error_text *err);

#endif
