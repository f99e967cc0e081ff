/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a trace file (fargs.dat(5)). Needs nothing of the kernel it came from
 * and trusts no byte of it. Memory: what struct fargs_meta holds, 72 bytes for
 * each chunk, and one chunk of records (1 MiB at most) for each CPU.
 *
 * Chunks are found by going from one to the next, not by the section table:
 * one small read for each, and the same way for a file that was cut off and has
 * no table. Of such a file, each chunk that is whole is given.
 */
#ifndef FARGS_FILE_READER_H
#define FARGS_FILE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/meta.h"
#include "file/info.h"
#include "base/error.h"

struct fargs_reader;

/*
 * Records come in streams: of @nr_cpus CPUs, stream N is what the ring of CPU N held, and
 * stream @nr_cpus + N its events (ring/event_record.h), whose times are ns.
 */
#define FARGS_READER_STREAMS(nr_cpus)	(2 * (nr_cpus))

/*
 * Opens @path, checks the headers of all chunks, and fills @meta, which the
 * caller has zeroed (fargs_meta_init) and deinits also on failure. NULL on
 * failure: not a trace, a newer version, cut off before there is anything to
 * read, corrupt; @err names the file and, where it helps, the byte.
 */
struct fargs_reader *fargs_reader_open(const char *path, struct fargs_meta *meta,
				       struct fargs_error_text *err);
void fargs_reader_destroy(struct fargs_reader *r);

/*
 * The same of a file that is written now: finds what is there, and *@is_begun if that is enough to
 * decode by, which it is when there are records, or there will be none.
 */
struct fargs_reader *fargs_reader_open_growing(const char *path, struct fargs_meta *meta,
					       bool *is_begun, struct fargs_error_text *err);
/* Takes in chunks that became whole since. 1: there were some; 0: none; -errno with @err. */
int fargs_reader_grow(struct fargs_reader *r, bool *is_begun, struct fargs_error_text *err);
/* The largest time in the headers of chunks of streams from @first on, that were found so far. */
uint64_t fargs_reader_newest(const struct fargs_reader *r, unsigned int first);
/* Is it written now, and has the recorder not ended it yet? */
bool fargs_reader_is_growing(const struct fargs_reader *r);
/* Of a file that is written now: run @nr of @stream, and those before it, are not needed now. */
void fargs_reader_forget(struct fargs_reader *r, unsigned int stream, size_t nr);

/*
 * Leaves out, from now on, chunks of which no record is wanted: @is_wanted tells
 * from their stream and their smallest and largest time. Those with TASK records stay:
 * they name the tasks of what follows.
 */
typedef bool (*fargs_reader_fn)(void *arg, unsigned int stream, uint64_t first_tsc,
				uint64_t last_tsc);
void fargs_reader_keep(struct fargs_reader *r, fargs_reader_fn is_wanted, void *arg);

/*
 * The next run of whole records of @stream, aligned to 8 bytes and valid until the
 * next call for the same stream: 1 and *@records, *@bytes; 0 at the end; -errno.
 */
int fargs_reader_next(struct fargs_reader *r, unsigned int stream, const void **records,
		      size_t *bytes, struct fargs_error_text *err);

/*
 * One of those runs by its number, from 0 on and without those that are left out, into
 * *@buf of *@room bytes, which grows as needed and is the caller's to free; *@bytes of
 * them. Several threads may do so at the same time. 1; 0: there are no more; -errno.
 */
int fargs_reader_load(const struct fargs_reader *r, unsigned int stream, size_t nr, void **buf,
		      size_t *room, size_t *bytes, struct fargs_error_text *err);

/* True for a file without a section table; @what says where it ends, in one line. */
bool fargs_reader_is_cut(const struct fargs_reader *r, struct fargs_error_text *what);

/* About the file; owned by the reader. */
const struct fargs_file_info *fargs_reader_about(const struct fargs_reader *r);
/* Bytes of the whole file; bytes of records of @stream. */
uint64_t fargs_reader_bytes(const struct fargs_reader *r);
uint64_t fargs_reader_stream_bytes(const struct fargs_reader *r, unsigned int stream);

/* Calls @fn for each section of the table: name as stored, size in bytes. 0 or -errno. */
typedef void (*fargs_section_fn)(void *arg, const char *name, uint64_t bytes);
int fargs_reader_sections(struct fargs_reader *r, fargs_section_fn fn, void *arg,
			  struct fargs_error_text *err);

#endif
