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
#include "model/stamped.h"
#include "base/error.h"
#include "base/pool.h"

struct fargs_streams;
/* A chunk's records. */
struct fargs_block;

/* @r, @meta and @pool must outlive it; takes CPUs and clocks of @meta. NULL with @err. */
struct fargs_streams *fargs_streams_create(struct fargs_reader *r, const struct fargs_meta *meta,
					   struct fargs_pool *pool, struct fargs_error_text *err);
void fargs_streams_destroy(struct fargs_streams *s);

/* Of a file that is written now: what is there may have to stand behind what is to come. */
#define FARGS_STREAMS_WAITS	2

/*
 * The next record: 1; 0 at the end; FARGS_STREAMS_WAITS; -errno with @err for a file that is
 * corrupt.
 */
int fargs_streams_next(struct fargs_streams *s, struct fargs_stamped *next,
		       struct fargs_error_text *err);

/*
 * Takes in what was written since. Between two rounds of clocks the recorder reads all rings at
 * least once: with a round there is all that is older than the one before it, and its times
 * will not change. With @is_last, all that is there is given. 1: there was something; 0; -errno.
 */
int fargs_streams_grow(struct fargs_streams *s, bool is_last, struct fargs_error_text *err);

/*
 * The blocks of which all records were given since the last time; the records stay until
 * these are given back. All but the last record: its block may be among them.
 */
struct fargs_block *fargs_streams_used(struct fargs_streams *s);
void fargs_streams_give_back(struct fargs_streams *s, struct fargs_block *blocks);

#endif
