/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a trace file (fargs.dat(5)) on any machine, and trusts no byte of it. Memory: struct
 * fargs_meta, 72 bytes for each chunk, and one chunk of records (at most 1 MiB) for each CPU.
 *
 * Chunks are found by walking from one header to the next, not from the section table. That costs
 * one small read each, and works for a file that was cut off and has no table. Of such a file,
 * every whole chunk is returned.
 */
#ifndef FARGS_FILE_READER_H
#define FARGS_FILE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "file/info.h"
#include "model/meta.h"

struct fargs_reader;

/*
 * Records come in streams. With @nr_cpus CPUs, stream N holds the records of CPU N, and stream
 * @nr_cpus + N its events (model/event_record.h), whose times are in ns.
 */
#define FARGS_READER_STREAMS(nr_cpus)	(2 * (nr_cpus))

/*
 * Opens @path, checks all chunk headers and fills @meta. The caller initializes @meta
 * (fargs_meta_init) and deinitializes it, also after a failure. Returns NULL if @path is not a
 * trace, is of a newer version, was cut off before its metadata, or is corrupt. @err names the file
 * and, where useful, the byte offset.
 */
struct fargs_reader *fargs_reader_open(const char *path, struct fargs_meta *meta,
				       struct fargs_error_text *err);
void fargs_reader_destroy(struct fargs_reader *r);

/*
 * Opens a file that is still being written. Reads the chunks that are there. *@is_begun reports if
 * records can be decoded: records were found, or the recording has ended without any.
 */
struct fargs_reader *fargs_reader_open_growing(const char *path, struct fargs_meta *meta,
					       bool *is_begun, struct fargs_error_text *err);
/* Reads chunks completed since. Returns 1 if there were any, 0 if not, or -errno with @err. */
int fargs_reader_grow(struct fargs_reader *r, bool *is_begun, struct fargs_error_text *err);
/* The largest time in the chunk headers found so far of the streams from @first on. */
uint64_t fargs_reader_newest(const struct fargs_reader *r, unsigned int first);
/* Is the file opened as growing, and has the recorder not finished it? */
bool fargs_reader_is_growing(const struct fargs_reader *r);
/* Of a growing file: the caller will not load runs up to and including @nr of @stream again. */
void fargs_reader_forget(struct fargs_reader *r, unsigned int stream, size_t nr);

/*
 * Drops runs of records without any wanted record. @is_wanted decides by the stream and the run's
 * smallest and largest time. Runs with TASK records are kept: they name the tasks of later records.
 */
typedef bool (*fargs_reader_fn)(void *arg, unsigned int stream, uint64_t first_tsc,
				uint64_t last_tsc);
void fargs_reader_keep(struct fargs_reader *r, fargs_reader_fn is_wanted, void *arg);

/*
 * Returns the next run of whole records of @stream, aligned to 8 bytes and valid until the next
 * call for the same stream. Returns 1 with *@records and *@bytes, 0 at the end, or -errno.
 */
int fargs_reader_next(struct fargs_reader *r, unsigned int stream, const void **records,
		      size_t *bytes, struct fargs_error_text *err);

/*
 * Loads run @nr of @stream, counted from 0 without those that fargs_reader_keep() dropped, into
 * *@buf. *@room is the capacity of *@buf, which is enlarged as needed and freed by the caller;
 * *@bytes is the run's size. Several threads may call this at the same time. Returns 1, 0 if there
 * is no such run, or -errno.
 */
int fargs_reader_load(const struct fargs_reader *r, unsigned int stream, size_t nr, void **buf,
		      size_t *room, size_t *bytes, struct fargs_error_text *err);

/* Has the file no section table? Then @what says in one line where the file ends. */
bool fargs_reader_is_cut(const struct fargs_reader *r, struct fargs_error_text *what);

/* Owned by the reader. */
const struct fargs_file_info *fargs_reader_about(const struct fargs_reader *r);
/* Size of the file; total size of the records of @stream, uncompressed. */
uint64_t fargs_reader_bytes(const struct fargs_reader *r);
uint64_t fargs_reader_stream_bytes(const struct fargs_reader *r, unsigned int stream);

/* Calls @fn for each section of the table: name as stored, size in bytes. Returns 0 or -errno. */
typedef void (*fargs_section_fn)(void *arg, const char *name, uint64_t bytes);
int fargs_reader_sections(struct fargs_reader *r, fargs_section_fn fn, void *arg,
			  struct fargs_error_text *err);

#endif
