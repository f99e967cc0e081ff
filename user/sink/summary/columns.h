/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes events as tab-separated columns of user-chosen values.
 */
#ifndef FARGS_SINK_SUMMARY_COLUMNS_H
#define FARGS_SINK_SUMMARY_COLUMNS_H

#include "base/buf.h"
#include "base/error.h"
#include "model/decoder.h"

struct fargs_columns;

/*
 * @list: comma-separated expressions, one for each column. Not thread-safe. @meta must outlive the
 * returned object. Returns NULL with @err on error.
 */
struct fargs_columns *fargs_columns_create(const char *list, struct fargs_meta *meta,
					   struct fargs_error_text *err);
void fargs_columns_destroy(struct fargs_columns *c);

/*
 * Writes a line for @ev, with "-" for each value that @ev does not have. Writes no line if @ev has
 * none of the values.
 */
int fargs_columns_put(struct fargs_columns *c, struct fargs_buf *out, struct fargs_decoder *d,
		      const struct fargs_event *ev);
/* Writes a line with the titles of the columns. */
void fargs_columns_put_names(const struct fargs_columns *c, struct fargs_buf *out);

#endif
