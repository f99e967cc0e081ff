/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the payloads of the chunks that fill struct fargs_meta.
 */
#ifndef FARGS_FILE_LOAD_H
#define FARGS_FILE_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/meta.h"

/* Does fargs_load_chunk() handle chunks of @kind? */
bool fargs_load_wants(unsigned int kind);

/*
 * Parses the payload of a chunk of @kind into @meta, whose info must be complete. Keeps no pointer
 * to @payload. Returns 0, -EIO if the payload is malformed, or -ENOMEM. @err does not name the
 * file.
 */
int fargs_load_chunk(struct fargs_meta *meta, unsigned int kind, const void *payload,
		     size_t bytes, struct fargs_error_text *err);

/* Sorts arrays whose elements were loaded from several chunks, as struct fargs_meta requires. */
void fargs_load_finish(struct fargs_meta *meta);

#endif
