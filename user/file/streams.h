/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The streams of records of a trace file, calls and events of all CPUs, merged into one: by
 * time (ns of decode/clock.h, not TSC: CPUs may differ in that), of the same time calls
 * before events, then by CPU, of the same CPU in the order of its ring. That order depends on
 * nothing but the file. Chunks are read and unpacked ahead, by the threads of a pool.
 */
#ifndef FARGS_FILE_STREAMS_H
#define FARGS_FILE_STREAMS_H

#include "file/reader.h"
#include "ring/stamped.h"
#include "util/error.h"
#include "util/pool.h"

struct fargs_streams;
/* A chunk's records. */
struct fargs_block;

/* @r and @pool must outlive it; takes CPUs and clocks of @meta. NULL with @err. */
struct fargs_streams *fargs_streams_create(struct fargs_reader *r, const struct fargs_meta *meta,
					   struct fargs_pool *pool, struct fargs_error_text *err);
void fargs_streams_destroy(struct fargs_streams *s);

/* The next record: 1; 0 at the end; -errno with @err for a file that is corrupt. */
int fargs_streams_next(struct fargs_streams *s, struct fargs_stamped *next,
		       struct fargs_error_text *err);

/*
 * The blocks of which all records were given since the last time; the records stay until
 * these are given back. All but the last record: its block may be among them.
 */
struct fargs_block *fargs_streams_used(struct fargs_streams *s);
void fargs_streams_give_back(struct fargs_streams *s, struct fargs_block *blocks);

#endif
