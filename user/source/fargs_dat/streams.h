/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges the record streams of a trace file, calls and events of all CPUs, into one. Records are
 * sorted by time (ns of model/clock.h; TSCs may differ between CPUs). If times are equal, calls
 * precede events, and both are sorted by CPU. Records of a CPU stay in ring order. The order
 * depends only on the file. The threads of a pool read and decompress chunks ahead.
 */
#ifndef FARGS_SOURCE_FARGS_DAT_STREAMS_H
#define FARGS_SOURCE_FARGS_DAT_STREAMS_H

#include "base/error.h"
#include "base/pool.h"
#include "file/reader.h"
#include "model/stamped.h"

struct fargs_streams;
/* The records of one chunk. */
struct fargs_block;

/*
 * Returns NULL with @err on error. @r, @meta and @pool must outlive the returned object, which uses
 * the CPUs and clocks of @meta.
 */
struct fargs_streams *fargs_streams_create(struct fargs_reader *r, const struct fargs_meta *meta,
					   struct fargs_pool *pool, struct fargs_error_text *err);
void fargs_streams_destroy(struct fargs_streams *s);

/* The file is still being written: records yet to be read may precede those already read. */
#define FARGS_STREAMS_WAITS	2

/*
 * Sets *@next to the next record. Returns 1; 0 at the end; FARGS_STREAMS_WAITS; or -errno with @err
 * if the file is corrupt.
 */
int fargs_streams_next(struct fargs_streams *s, struct fargs_stamped *next,
		       struct fargs_error_text *err);

/*
 * Reads what was written since the last call. The recorder reads all rings at least once between
 * two clock samples. So when a sample is in the file, all records before the previous sample are
 * also in the file, and their times are final. @is_last: fargs_streams_next() will return the
 * remaining records without waiting. Returns 1 if there is new data, 0, or -errno with @err.
 */
int fargs_streams_grow(struct fargs_streams *s, bool is_last, struct fargs_error_text *err);

/*
 * Returns the list of blocks whose last record was returned since the last call of this function.
 * The block of the record returned last may be among them. The records remain valid until the
 * caller passes the blocks to fargs_streams_give_back().
 */
struct fargs_block *fargs_streams_used(struct fargs_streams *s);
void fargs_streams_give_back(struct fargs_streams *s, struct fargs_block *blocks);

#endif
