/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Objects of JSON in little room. Of the lines of fargs report --json most are alike but for
 * numbers and a few texts: a line becomes a row, an array of integers,
 *
 *	[shape,leaf,leaf,...]
 *
 * and the shape, its number being the first one, is the line with something else in place of
 * its leaves, in their order:
 *
 *	0	an integer, which the row has
 *	1	a string: the row has its number among the strings
 *	2	any value: the row has its number among the values
 *
 * A shape has no other numbers. Its strings are its own: they are those that events of a
 * function share, as names and types. Whoever puts the leaves back has the line.
 */
#ifndef FARGS_REPORT_ROWS_H
#define FARGS_REPORT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/intern.h"

/* Begin with zeroes. */
struct fargs_rows {
	struct fargs_intern shapes;
	struct fargs_intern strings;
	struct fargs_intern values;
	struct fargs_buf shape;		/* in the making */
};

void fargs_rows_deinit(struct fargs_rows *rows);
/*
 * Adds to @out the row of @line, an event as out/json_event.h makes it. 0; -ENOMEM; -EINVAL: it
 * is none.
 */
int fargs_rows_add(struct fargs_rows *rows, struct fargs_buf *out, const char *line, size_t len);
/* {"shapes":[…],"strings":[…],"values":[…]}, which may stand in HTML as put_html has it. */
void fargs_rows_put_tables(const struct fargs_rows *rows, struct fargs_buf *out);
/* About how much of them there is. */
uint64_t fargs_rows_bytes(const struct fargs_rows *rows);

/* JSON that ends no element of HTML, and begins none: its strings have no "<". */
void fargs_rows_put_html(struct fargs_buf *out, const char *json, size_t len);

#endif
