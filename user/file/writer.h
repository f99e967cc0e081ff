/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a trace file (fargs.dat(5)) in one pass, front to end.
 */
#ifndef FARGS_FILE_WRITER_H
#define FARGS_FILE_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "decode/meta.h"
#include "util/error.h"

struct fargs_writer;

/*
 * Creates or replaces @path and writes what @meta holds: all but clocks and
 * stats, which come at the end. @meta must outlive the writer. NULL on failure.
 */
struct fargs_writer *fargs_writer_create(const char *path, struct fargs_meta *meta,
					 struct fargs_error_text *err);
/* Closes. Without fargs_writer_finish before, what is left is a cut-off file. */
void fargs_writer_destroy(struct fargs_writer *w);

/* Writes @bytes of whole records of @cpu. 0 or -errno (ENOSPC, EIO …), @err naming the file. */
int fargs_writer_records(struct fargs_writer *w, unsigned int cpu, const void *records,
			 size_t bytes, struct fargs_error_text *err);
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
