/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a trace file (fargs.dat(5)) sequentially, in one pass.
 */
#ifndef FARGS_FILE_WRITER_H
#define FARGS_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/error.h"
#include "model/meta.h"
#include "model/task_names.h"

struct fargs_writer;

struct fargs_writer_options {
	int level;			/* zstd level for records; 0: not compressed */
	unsigned int sync_ms;		/* interval of fdatasync(2) in ms; 0: never called */
};

/*
 * Creates or replaces @path and writes the contents of @meta, except for CLOCKS and the counters,
 * which are written at the end. @meta must outlive the writer. Returns NULL on failure; then no
 * file is left.
 */
struct fargs_writer *fargs_writer_create(const char *path, struct fargs_meta *meta,
					 const struct fargs_writer_options *options,
					 struct fargs_error_text *err);
/* Closes the file. Unless fargs_writer_finish() was called before, the file is cut off. */
void fargs_writer_destroy(struct fargs_writer *w);
/* Closes and removes the file. */
void fargs_writer_discard(struct fargs_writer *w);

/*
 * Writes @bytes of whole records of @cpu. Returns 0, or -errno (ENOSPC, EIO) with @err, which names
 * the file; the file then ends with its last whole chunk.
 */
int fargs_writer_records(struct fargs_writer *w, unsigned int cpu, const void *records,
			 size_t bytes, struct fargs_error_text *err);
/* Like fargs_writer_records(), for records of @cpu's event stream. */
int fargs_writer_events(struct fargs_writer *w, unsigned int cpu, const void *records,
			size_t bytes, struct fargs_error_text *err);
/*
 * Writes functions of modules that were loaded during the recording. To be called before their
 * records are written. fargs_writer_create() wrote their BTF. Returns 0 or -errno.
 */
int fargs_writer_funcs(struct fargs_writer *w, const struct fargs_func *funcs, size_t nr,
		       struct fargs_error_text *err);
/* Writes the ids of new tasks in their own pid namespaces. Returns 0 or -errno. */
int fargs_writer_nspids(struct fargs_writer *w, const struct fargs_nspid *nspids, size_t nr,
			struct fargs_error_text *err);
/*
 * Writes names of tasks. To be called before the records of these tasks are written. Returns 0 or
 * -errno.
 */
int fargs_writer_names(struct fargs_writer *w, const struct fargs_task_name *names, size_t nr,
		       struct fargs_error_text *err);
/*
 * Writes a chunk of Intel PT (file/pt_file.h) with payload @iov[0] followed by @iov[1]. @cpu:
 * FARGS_CHUNK_NO_CPU if the chunk belongs to no CPU. With @is_uncompressed, the payload is not
 * compressed. Returns 0 or -errno.
 */
int fargs_writer_pt(struct fargs_writer *w, unsigned int kind, unsigned int cpu,
		    const struct iovec iov[2], bool is_uncompressed, struct fargs_error_text *err);
/*
 * Enables or disables compression of the records written from now on. Compressing takes ten times
 * as long as writing.
 */
void fargs_writer_set_uncompressed(struct fargs_writer *w, bool is_uncompressed);
/*
 * Writes one round of meta->info.nr_cpus samples, and adds it to meta->clocks. Returns 0 or -errno.
 */
int fargs_writer_clock(struct fargs_writer *w, const struct fargs_clock_sample *samples,
		       struct fargs_error_text *err);
/*
 * Writes the rounds in meta->clocks that have not been written yet, CLOCKS, the counters in @meta,
 * and the section table. Closes the file. Returns 0 or -errno.
 */
int fargs_writer_finish(struct fargs_writer *w, struct fargs_error_text *err);

/* Returns the number of bytes written so far. */
uint64_t fargs_writer_bytes(const struct fargs_writer *w);

#endif
