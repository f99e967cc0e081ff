/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a trace file (fargs.dat(5)). Needs nothing of the kernel it came from
 * and trusts no byte of it. Memory: what struct fargs_meta holds, 16 bytes for
 * each chunk, and one chunk of records (1 MiB at most) for each CPU.
 *
 * Chunks are found by going from one to the next, not by the section table:
 * one small read for each 256 KiB, and the same way for a file that was cut
 * off and has no table.
 */
#ifndef FARGS_FILE_READER_H
#define FARGS_FILE_READER_H

#include <stddef.h>
#include <stdint.h>

#include "decode/meta.h"
#include "file/info.h"
#include "util/error.h"

struct fargs_reader;

/*
 * Opens @path, checks the headers of all chunks, and fills @meta, which the
 * caller has zeroed (fargs_meta_init) and deinits also on failure. NULL on
 * failure: not a trace, a newer version, cut off, corrupt; @err names the file
 * and, where it helps, the byte.
 */
struct fargs_reader *fargs_reader_open(const char *path, struct fargs_meta *meta,
				       struct fargs_error_text *err);
void fargs_reader_destroy(struct fargs_reader *r);

/*
 * The next run of whole records of @cpu, aligned to 8 bytes and valid until the
 * next call for the same CPU: 1 and *@records, *@bytes; 0 at the end; -errno.
 */
int fargs_reader_next(struct fargs_reader *r, unsigned int cpu, const void **records,
		      size_t *bytes, struct fargs_error_text *err);

/* About the file; owned by the reader. */
const struct fargs_file_info *fargs_reader_about(const struct fargs_reader *r);
/* Bytes of the whole file; bytes of records and number of chunks of @cpu. */
uint64_t fargs_reader_bytes(const struct fargs_reader *r);
uint64_t fargs_reader_cpu_bytes(const struct fargs_reader *r, unsigned int cpu);

/* Calls @fn for each section of the table: name as stored, size in bytes. 0 or -errno. */
typedef void (*fargs_section_fn)(void *arg, const char *name, uint64_t bytes);
int fargs_reader_sections(struct fargs_reader *r, fargs_section_fn fn, void *arg,
			  struct fargs_error_text *err);

#endif
