/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The INFO chunk: "key=value" lines, with values escaped as by vis(3). It is text, so that readelf
 * -p .fargs.info shows it and keys can be added.
 */
#ifndef FARGS_FILE_INFO_H
#define FARGS_FILE_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"

/* Facts about the file itself, which struct fargs_meta has not. */
struct fargs_file_info {
	unsigned int version;		/* FARGS_FILE_VERSION of its writer */
	char writer[32];		/* version of the program */
	int64_t date;			/* start of the recording, seconds since 1970; 0: unknown */
	uint32_t id;			/* fargs_chunk.file of its chunks */
	bool is_recovered;		/* written by fargs recover */
};

/* Formats @meta and @about. The caller frees the text. NULL: no memory. */
char *fargs_info_text(const struct fargs_meta *meta, const struct fargs_file_info *about,
		      size_t *size);

/*
 * Parses INFO text into @meta (info, command, hostname, ring_bytes, is_overwrite, is_bare) and
 * @about. Unknown keys are ignored. Returns 0, -EPROTO for a newer version, or -EIO. @err does not
 * name the file.
 */
int fargs_info_parse(const char *text, size_t size, struct fargs_meta *meta,
		     struct fargs_file_info *about, struct fargs_error_text *err);

#endif
