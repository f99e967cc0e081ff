/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The columns at the beginning of the lines of an Intel PT trace, and lines for errors.
 */
#ifndef FARGS_CMD_REPORT_PT_LINE_H
#define FARGS_CMD_REPORT_PT_LINE_H

#include "base/buf.h"
#include "sink/text/pt_line.h"
#include "source/pt/trace/context.h"
#include "source/pt/decode/flow.h"

/* Writes the columns at the beginning of a line. */
void fargs_pt_put_head(struct fargs_buf *out, struct fargs_pt_context *c);
/* Writes a line for an error or for changed kernel code (FARGS_PT_POKED). */
void fargs_pt_put_error(struct fargs_buf *out, struct fargs_pt_context *c,
			const struct fargs_pt_item *item);

#endif
