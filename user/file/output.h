/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts chunks into a new trace file, one behind the other, and at the end the
 * section table. Knows nothing of what is in them.
 */
#ifndef FARGS_FILE_OUTPUT_H
#define FARGS_FILE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "file/format.h"
#include "base/error.h"

struct fargs_output;

/*
 * Creates or replaces @path (with @is_new: fails where it is there), and writes
 * the ELF header and an INFO chunk of @info; @file is the number that @info tells.
 * NULL on failure: then nothing is left behind.
 */
struct fargs_output *fargs_output_create(const char *path, bool is_new, const char *info,
					 size_t info_bytes, uint32_t file,
					 struct fargs_error_text *err);
/* Closes. Without fargs_output_finish before, what is left is a cut-off file. */
void fargs_output_destroy(struct fargs_output *o);
/* The same, and removes the file: there is nothing in it to read. */
void fargs_output_discard(struct fargs_output *o);

/*
 * Writes a chunk. Of @head, kind, flags, cpu, times and raw_bytes are read; raw_bytes
 * may be 0 for what is not packed. The payload is @iov[0] and @iov[1]. It also notes
 * the chunk's section. 0, or -errno (ENOSPC, EIO …) with @err naming the file: then
 * the file has been cut back to its last whole chunk, and takes no more.
 */
int fargs_output_chunk(struct fargs_output *o, const struct fargs_chunk *head,
		       const struct iovec iov[2], struct fargs_error_text *err);

/*
 * Sees to it that what was written survives a loss of power, every @ms
 * milliseconds, in a thread of its own so that nobody waits for a disk.
 */
int fargs_output_sync_start(struct fargs_output *o, unsigned int ms, struct fargs_error_text *err);

/* Writes END and the section table, and closes. 0 or -errno. */
int fargs_output_finish(struct fargs_output *o, struct fargs_error_text *err);

/* Bytes written so far. */
uint64_t fargs_output_bytes(const struct fargs_output *o);

#endif
