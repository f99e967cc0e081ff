/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges the record streams of a trace file, calls and events of all CPUs, into one. Order: by
 * time (ns of model/clock.h, not TSC, which may differ between CPUs); at the same time calls
 * before events, then by CPU; per CPU in ring order. The order depends only on the file. Chunks
 * are read and decompressed ahead by the threads of a pool.
 */
#ifndef FARGS_SOURCE_FARGS_DAT_STREAMS_H
#define FARGS_SOURCE_FARGS_DAT_STREAMS_H

#include "base/error.h"
#include "base/pool.h"
#include "file/reader.h"
#include "model/stamped.h"

struct fargs_streams;
/* The records of a chunk. */
struct fargs_block;

/*
 * @r, @meta and @pool must outlive the result, which uses the CPUs and clocks of @meta. NULL with
 * @err on failure.
 */
struct fargs_streams *fargs_streams_create(struct fargs_reader *r, const struct fargs_meta *meta,
					   struct fargs_pool *pool, struct fargs_error_text *err);
void fargs_streams_destroy(struct fargs_streams *s);

/* The file is still being written, and records still to come may precede those that are there. */
#define FARGS_STREAMS_WAITS	2

/*
 * Returns 1 with the next record, 0 at the end, FARGS_STREAMS_WAITS, or -errno with @err if the
 * file is corrupt.
 */
int fargs_streams_next(struct fargs_streams *s, struct fargs_stamped *next,
		       struct fargs_error_text *err);

/*
 * Reads what was written since the last call. The recorder reads all rings at least once between
 * two clock samples: when a sample is in the file, all records older than the sample before it
 * are, too, and their times are final. @is_last: the rest will be returned without waiting.
 * Returns 1 if there is new data, 0, or -errno with @err.
 */
int fargs_streams_grow(struct fargs_streams *s, bool is_last, struct fargs_error_text *err);

/*
 * Takes the blocks whose records have all been returned since the last call. The records remain
 * valid until fargs_streams_give_back() of their block. The block of the record returned last may
 * be among them.
 */
struct fargs_block *fargs_streams_used(struct fargs_streams *s);
void fargs_streams_give_back(struct fargs_streams *s, struct fargs_block *blocks);

#endif
