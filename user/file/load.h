/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Payloads of the chunks that make up struct fargs_meta.
 */
#ifndef FARGS_FILE_LOAD_H
#define FARGS_FILE_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "model/meta.h"
#include "base/error.h"

/* True for the kinds that fargs_load_chunk knows. */
bool fargs_load_wants(unsigned int kind);

/*
 * Takes @bytes of payload of a chunk of @kind into @meta, whose info is
 * complete. Keeps no pointer to it. 0; -EIO when it makes no sense, -ENOMEM;
 * @err does not name the file.
 */
int fargs_load_chunk(struct fargs_meta *meta, unsigned int kind, const void *payload,
		     size_t bytes, struct fargs_error_text *err);

/* Brings what came in pieces into the order that struct fargs_meta promises. */
void fargs_load_finish(struct fargs_meta *meta);

#endif
