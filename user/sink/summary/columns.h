/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as columns of values that a person has chosen, with tabs between them.
 */
#ifndef FARGS_REPORT_COLUMNS_H
#define FARGS_REPORT_COLUMNS_H

#include "model/decoder.h"
#include "base/buf.h"
#include "base/error.h"

struct fargs_columns;

/*
 * @list: expressions with commas between them. For one thread at a time; @meta must outlive it.
 * NULL with what is wrong.
 */
struct fargs_columns *fargs_columns_create(const char *list, struct fargs_meta *meta,
					   struct fargs_error_text *err);
void fargs_columns_destroy(struct fargs_columns *c);

/* A line; "-" where the event has no such value, and none where it has not one of them. */
int fargs_columns_put(struct fargs_columns *c, struct fargs_buf *out, struct fargs_decoder *d,
		      const struct fargs_event *ev);
/* The names of the columns. */
void fargs_columns_put_names(const struct fargs_columns *c, struct fargs_buf *out);

#endif
