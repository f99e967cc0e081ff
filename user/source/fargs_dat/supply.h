/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Supplies the record streams of a trace file to a merge. The threads of a pool read and decompress
 * chunks ahead. The file may still be growing.
 */
#ifndef FARGS_SOURCE_FARGS_DAT_SUPPLY_H
#define FARGS_SOURCE_FARGS_DAT_SUPPLY_H

#include <stdbool.h>

#include "base/error.h"
#include "base/pool.h"
#include "file/reader.h"
#include "source/records/merge.h"

struct fargs_supply;

/*
 * Returns NULL with @err on error. @r, @meta and @pool must outlive the returned object, which
 * belongs to the calling thread.
 */
struct fargs_supply *fargs_supply_create(struct fargs_reader *r, const struct fargs_meta *meta,
					 struct fargs_pool *pool, struct fargs_error_text *err);
void fargs_supply_destroy(struct fargs_supply *s);

/* The merge of the file's streams, which belongs to @s. */
struct fargs_merge *fargs_supply_merge(struct fargs_supply *s);

/*
 * Reads what was written since the last call. The recorder reads all rings at least once between
 * two clock samples. So when a sample is in the file, all records before the previous sample are
 * also in the file, and their times are final. @is_last: fargs_merge_next() will return the
 * remaining records without waiting. Returns 1 if there is new data, 0, or -errno with @err.
 */
int fargs_supply_grow(struct fargs_supply *s, bool is_last, struct fargs_error_text *err);

#endif
