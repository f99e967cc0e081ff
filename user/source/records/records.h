/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the sources of records share: a file, and the rings of a running session. They make batches
 * from the records of a merge, and follow the names of tasks.
 */
#ifndef FARGS_SOURCE_RECORDS_RECORDS_H
#define FARGS_SOURCE_RECORDS_RECORDS_H

#include <stdbool.h>

#include "source/records/merge.h"
#include "source/source.h"

struct fargs_last_run;

/* The first member of the struct of a source of records. */
struct fargs_records {
	struct fargs_event_source base;
	struct fargs_merge *merge;	/* set by the source while it runs */
	struct fargs_last_run *last;	/* private */
};

/*
 * Initializes r->base: its decoder and its facts. The caller sets base.ops, with the functions
 * below, and base.what. Returns 0, or -errno with @err; the caller calls fargs_records_deinit() in
 * either case.
 */
int fargs_records_init(struct fargs_records *r, struct fargs_meta *meta,
		       struct fargs_error_text *err);
void fargs_records_deinit(struct fargs_records *r);

/* The feed needs no more batches. */
#define FARGS_RECORDS_ENOUGH	3

/*
 * Passes on batches with the records that can be returned in order. Returns 0 at the end;
 * FARGS_MERGE_WAITS; FARGS_RECORDS_ENOUGH; or -errno with @err.
 */
int fargs_records_pass(struct fargs_records *r, const struct fargs_feed *feed,
		       struct fargs_error_text *err);

/* Members event and release of struct fargs_event_source_ops. */
int fargs_records_event(struct fargs_decoder *d, const struct fargs_batch *batch, unsigned int i,
			struct fargs_event *ev);
void fargs_records_release(struct fargs_event_source *source, struct fargs_batch *batch,
			   bool is_counted);

#endif
