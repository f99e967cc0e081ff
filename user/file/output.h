/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes chunks to a new trace file in sequence, and finally the section table. Does not interpret
 * payloads, except for the name in a BTF chunk.
 */
#ifndef FARGS_FILE_OUTPUT_H
#define FARGS_FILE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/error.h"
#include "file/format.h"

struct fargs_output;

/*
 * Creates or replaces the file @path; fails if @is_new and the file exists. Writes the ELF header
 * and an INFO chunk with text @info. @file: the id in @info. Returns NULL with @err on failure;
 * then no new file is left.
 */
struct fargs_output *fargs_output_create(const char *path, bool is_new, const char *info,
					 size_t info_bytes, uint32_t file,
					 struct fargs_error_text *err);
/* Closes the file. Unless fargs_output_finish() was called before, the file is cut off. */
void fargs_output_destroy(struct fargs_output *o);
/* Closes and removes the file. */
void fargs_output_discard(struct fargs_output *o);

/*
 * Writes a chunk, and adds it to the section table. Of @head, only kind, flags, cpu, times and
 * raw_bytes are used; raw_bytes may be 0 if the payload is not compressed. The payload is @iov[0]
 * followed by @iov[1]. Returns 0, or -errno (ENOSPC, EIO) with @err, which names the file. After a
 * failed write, the file is truncated to its last whole chunk, and no more chunks can be written.
 */
int fargs_output_chunk(struct fargs_output *o, const struct fargs_chunk *head,
		       const struct iovec iov[2], struct fargs_error_text *err);

/*
 * Starts a thread that calls fdatasync(2) every @ms milliseconds, so that data survive a power
 * loss, without the writers having to wait for the disk. Returns 0, or -errno with @err.
 */
int fargs_output_sync_start(struct fargs_output *o, unsigned int ms, struct fargs_error_text *err);

/* Writes END and the section table, and closes the file. Returns 0, or -errno with @err. */
int fargs_output_finish(struct fargs_output *o, struct fargs_error_text *err);

/* Returns the number of bytes written so far. */
uint64_t fargs_output_bytes(const struct fargs_output *o);

#endif
