/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of table "args": the values of an event.
 */
#ifndef FARGS_SINK_EXPORT_ROWS_ARG_ROWS_H
#define FARGS_SINK_EXPORT_ROWS_ARG_ROWS_H

#include "model/decoder.h"
#include "sink/export/redact.h"
#include "sink/export/rows/row.h"

struct fargs_arg_rows {
	struct fargs_row_cells *row;	/* which call the values belong to, and the date, are set */
	int (*put)(void *arg);		/* writes @row; returns 0 or -errno */
	void *arg;
	const struct fargs_redact *redact;
};

/* Writes a row for each value of @ev. Returns 0, the result of @a->put, or -ENOMEM. */
int fargs_arg_rows_put(struct fargs_arg_rows *a, struct fargs_decoder *d,
		       const struct fargs_event *ev);
/*
 * Sets *@number to the value, sign-extended if its type is signed. Returns false for text, bytes,
 * numbers of more than 64 bits, and what could not be read.
 */
bool fargs_arg_number(const struct fargs_arg *arg, uint64_t *number);

#endif
