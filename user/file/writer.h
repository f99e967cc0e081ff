/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a trace file (fargs.dat(5)) in one pass, front to end.
 */
#ifndef FARGS_FILE_WRITER_H
#define FARGS_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "model/meta.h"
#include "model/task_names.h"
#include "base/error.h"

struct fargs_writer;

struct fargs_writer_options {
	int level;			/* zstd's, for records; 0: not packed */
	unsigned int sync_ms;		/* how often to sync; 0: when the kernel likes */
};

/*
 * Creates or replaces @path and writes what @meta holds: all but clocks and
 * stats, which come at the end. @meta must outlive the writer. NULL on failure,
 * and then nothing is left behind.
 */
struct fargs_writer *fargs_writer_create(const char *path, struct fargs_meta *meta,
					 const struct fargs_writer_options *options,
					 struct fargs_error_text *err);
/* Closes. Without fargs_writer_finish before, what is left is a cut-off file. */
void fargs_writer_destroy(struct fargs_writer *w);
/* The same, and removes the file. */
void fargs_writer_discard(struct fargs_writer *w);

/*
 * Writes @bytes of whole records of @cpu. 0 or -errno (ENOSPC, EIO …), @err naming
 * the file, which ends with the last chunk that was whole then.
 */
int fargs_writer_records(struct fargs_writer *w, unsigned int cpu, const void *records,
			 size_t bytes, struct fargs_error_text *err);
/* The same of its stream of events. */
int fargs_writer_events(struct fargs_writer *w, unsigned int cpu, const void *records,
			size_t bytes, struct fargs_error_text *err);
/*
 * Writes functions that came later, before records of theirs. Their BTF has been
 * written. 0 or -errno.
 */
int fargs_writer_funcs(struct fargs_writer *w, const struct fargs_func *funcs, size_t nr,
		       struct fargs_error_text *err);
/* Writes what tasks that came later are called in their own pid namespaces. 0 or -errno. */
int fargs_writer_nspids(struct fargs_writer *w, const struct fargs_nspid *nspids, size_t nr,
			struct fargs_error_text *err);
/* Writes what tasks were called, before records of theirs. 0 or -errno. */
int fargs_writer_names(struct fargs_writer *w, const struct fargs_task_name *names, size_t nr,
		       struct fargs_error_text *err);
/*
 * Writes a chunk of Intel PT (pt/pt_file.h); its payload is @iov[0] and @iov[1]. @cpu:
 * FARGS_CHUNK_NO_CPU where it belongs to none. @is_hurried: it is not packed. 0 or -errno.
 */
int fargs_writer_pt(struct fargs_writer *w, unsigned int kind, unsigned int cpu,
		    const struct iovec iov[2], bool is_hurried, struct fargs_error_text *err);
/*
 * While @is_hurried records are not packed: that takes ten times as long as to
 * write them as they are.
 */
void fargs_writer_hurry(struct fargs_writer *w, bool is_hurried);
/* Writes one round, meta->info.nr_cpus samples, and adds it to meta->clocks. 0 or -errno. */
int fargs_writer_clock(struct fargs_writer *w, const struct fargs_clock_sample *samples,
		       struct fargs_error_text *err);
/*
 * Writes meta->stats (if any), rounds of meta->clocks that were not written by
 * fargs_writer_clock, and the section table. 0 or -errno.
 */
int fargs_writer_finish(struct fargs_writer *w, struct fargs_error_text *err);

/* Bytes written so far. */
uint64_t fargs_writer_bytes(const struct fargs_writer *w);

#endif
