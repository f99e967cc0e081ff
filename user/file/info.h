/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The INFO chunk: "key=value" lines, with values escaped in the format of vis(3). It is text, so
 * that keys can be added, and readelf -p .fargs.info can print it.
 */
#ifndef FARGS_FILE_INFO_H
#define FARGS_FILE_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"

/* Facts about the file itself, which are not in struct fargs_meta. */
struct fargs_file_info {
	unsigned int version;		/* format version of the file (FARGS_FILE_VERSION) */
	char writer[32];		/* version of the program that wrote the file */
	/* Start of the recording, in seconds since 1970; 0: unknown. */
	int64_t date;
	uint32_t id;			/* value of @file in every struct fargs_chunk of the file */
	bool is_recovered;		/* written by fargs recover */
};

/*
 * Returns the text of an INFO chunk for @meta and @about, to be freed with free(); NULL if there is
 * no memory.
 */
char *fargs_info_text(const struct fargs_meta *meta, const struct fargs_file_info *about,
		      size_t *size);

/*
 * Parses the text of INFO into @meta (info, command, hostname, origin, ring_bytes, is_overwrite,
 * is_bare) and @about. Ignores unknown keys. Returns 0, -EPROTO for a newer version, or -EIO. @err
 * does not name the file.
 */
int fargs_info_parse(const char *text, size_t size, struct fargs_meta *meta,
		     struct fargs_file_info *about, struct fargs_error_text *err);

#endif
