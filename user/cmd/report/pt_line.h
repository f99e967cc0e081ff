/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Common parts of the lines of an Intel PT trace: the columns at the beginning, and lines for
 * errors.
 */
#ifndef FARGS_CMD_REPORT_PT_LINE_H
#define FARGS_CMD_REPORT_PT_LINE_H

#include <stdint.h>

#include "base/buf.h"
#include "source/pt/decode/context.h"
#include "source/pt/decode/flow.h"

/* Writes the columns at the beginning of a line: "   comm  tid [cpu]  time: ". */
void fargs_pt_line_head(struct fargs_buf *out, struct fargs_pt_context *c);

/*
 * Writes a line for an error or for changed kernel code (FARGS_PT_POKED), with the offset in the
 * stream. Errors that perf also reports are worded as in perf.
 */
void fargs_pt_line_error(struct fargs_buf *out, const struct fargs_pt_context *c,
			 const struct fargs_pt_item *item);

/* Writes @v in hexadecimal, right-aligned in 16 columns. */
void fargs_pt_line_hex(struct fargs_buf *out, uint64_t v);

#endif
