/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A compact encoding of JSON objects. Most lines of fargs report --json differ only in numbers and
 * a few strings. A line is encoded as a row, an array of integers,
 *
 *	[shape,leaf,leaf,...]
 *
 * whose first element is the number of its shape. The shape is the line with each leaf replaced, in
 * order, by a digit:
 *
 *	0	an integer, stored in the row
 *	1	a string; the row has its index in the table of strings
 *	2	any value; the row has its index in the table of values
 *
 * A shape contains no other numbers. Strings that the events of a function share, such as names and
 * types, are kept in the shape. Replacing the digits by the leaves restores the line.
 */
#ifndef FARGS_SINK_HTML_ROWS_H
#define FARGS_SINK_HTML_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/intern.h"

/* Initialize with zeroes. */
struct fargs_rows {
	struct fargs_intern shapes;
	struct fargs_intern strings;
	struct fargs_intern values;
	struct fargs_buf shape;		/* shape of the line that is being encoded */
};

void fargs_rows_deinit(struct fargs_rows *rows);
/*
 * Appends the row of @line, an event as written by sink/json/json_event.h, to @out. Returns 0;
 * -ENOMEM; or -EINVAL if @line is not a JSON object that can be encoded.
 */
int fargs_rows_add(struct fargs_rows *rows, struct fargs_buf *out, const char *line, size_t len);
/* Appends {"shapes":[…],"strings":[…],"values":[…]}, escaped as by fargs_rows_put_html(). */
void fargs_rows_put_tables(const struct fargs_rows *rows, struct fargs_buf *out);
/* Returns the approximate size of the tables. */
uint64_t fargs_rows_bytes(const struct fargs_rows *rows);

/* Appends @json with "<" in strings escaped, so that it cannot end or begin an HTML element. */
void fargs_rows_put_html(struct fargs_buf *out, const char *json, size_t len);

#endif
