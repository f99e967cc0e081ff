/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a trace file (fargs.dat(5)) from any machine, without trusting its contents. Memory use:
 * struct fargs_meta, 72 bytes for each chunk, and one chunk of records (at most 1 MiB) for each
 * stream.
 *
 * Chunks are found by walking from one header to the next, without the section table. This costs a
 * small read for each chunk, but also works for a file that was cut off and thus has no table: all
 * its whole chunks are returned.
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
 * Records are divided into streams. With @nr_cpus CPUs, stream N holds the records of CPU N, and
 * stream @nr_cpus + N the events of CPU N (model/event_record.h), whose times are in ns.
 */
#define FARGS_READER_STREAMS(nr_cpus)	(2 * (nr_cpus))

/*
 * Opens @path, checks all chunk headers and fills in @meta. The caller calls fargs_meta_init()
 * before, and fargs_meta_deinit() afterwards even on failure. Returns NULL if @path is not a trace,
 * is of a newer version, was cut off before its metadata, or is corrupt. @err names the file and,
 * where useful, the byte offset.
 */
struct fargs_reader *fargs_reader_open(const char *path, struct fargs_meta *meta,
				       struct fargs_error_text *err);
void fargs_reader_destroy(struct fargs_reader *r);

/*
 * Opens a file that is still being written, and reads the chunks that are complete. Sets *@is_begun
 * if decoding can begin: records were found, or the recording has ended without any.
 */
struct fargs_reader *fargs_reader_open_growing(const char *path, struct fargs_meta *meta,
					       bool *is_begun, struct fargs_error_text *err);
/*
 * Reads chunks completed since the last call. Returns 1 if there were any, 0 if not, or -errno with
 * @err.
 */
int fargs_reader_grow(struct fargs_reader *r, bool *is_begun, struct fargs_error_text *err);
/*
 * Returns the latest time in the chunk headers found so far, of all streams from number @first on.
 */
uint64_t fargs_reader_newest(const struct fargs_reader *r, unsigned int first);
/*
 * Sets *@first and *@last to the earliest and the latest time in the chunk headers of @stream.
 * Chunks of version 1 have no times: *@last is then UINT64_MAX. Returns false if the stream has no
 * records.
 */
bool fargs_reader_span(const struct fargs_reader *r, unsigned int stream, uint64_t *first,
		       uint64_t *last);
/* Was the file opened as growing, and is the recorder still writing it? */
bool fargs_reader_is_growing(const struct fargs_reader *r);
/*
 * With a growing file, drops the runs of @stream up to and including run @nr, which the caller will
 * not load again.
 */
void fargs_reader_forget(struct fargs_reader *r, unsigned int stream, size_t nr);

/*
 * fargs_reader_keep() drops the runs of records for which @is_wanted returns false. @is_wanted is
 * passed the number of the stream, and the run's earliest and latest time. Runs with TASK records
 * are kept, because TASK records name the tasks of later records.
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
 * Loads run @nr of @stream into *@buf. Runs are counted from 0, without those that
 * fargs_reader_keep() dropped. *@room is the capacity of *@buf, which is enlarged as needed and
 * freed by the caller; *@bytes is set to the run's size. Several threads may call this at the same
 * time. Returns 1, 0 if there is no such run, or -errno.
 */
int fargs_reader_load(const struct fargs_reader *r, unsigned int stream, size_t nr, void **buf,
		      size_t *room, size_t *bytes, struct fargs_error_text *err);

/*
 * Has the file been cut off, so that it lacks a section table? If so, sets @what to a one-line
 * message with the offset where the last complete chunk ends.
 */
bool fargs_reader_is_cut(const struct fargs_reader *r, struct fargs_error_text *what);

/* Returns facts about the file. Owned by the reader. */
const struct fargs_file_info *fargs_reader_about(const struct fargs_reader *r);
/* Return the size of the file, and the total size of the records of @stream without compression. */
uint64_t fargs_reader_bytes(const struct fargs_reader *r);
uint64_t fargs_reader_stream_bytes(const struct fargs_reader *r, unsigned int stream);

/*
 * Calls @fn for each entry of the section table, with its name and its size in bytes. Returns 0 or
 * -errno.
 */
typedef void (*fargs_section_fn)(void *arg, const char *name, uint64_t bytes);
int fargs_reader_sections(struct fargs_reader *r, fargs_section_fn fn, void *arg,
			  struct fargs_error_text *err);

#endif
