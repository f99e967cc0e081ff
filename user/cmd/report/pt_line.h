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
/*
 * The columns at the beginning of the last line, which most lines share with the line before them.
 * Initialize with zeroes; free with fargs_buf_deinit(&head.text).
 */
struct fargs_pt_head {
	struct fargs_buf text;
	size_t task_bytes;	/* length of the columns before the time */
	uint64_t version;	/* of @text: increases with each change */
	const struct fargs_pt_stream *stream;	/* NULL: none yet */
	const char *comm;
	uint64_t ns;
	int32_t tid;
	bool has_time;
	bool is_guest;
};

/* Private, for fargs_pt_head_put(). */
void fargs_pt_head_make(struct fargs_pt_head *head, struct fargs_pt_context *c);

/* Sets the text for the context @c. */
static inline void fargs_pt_head_set(struct fargs_pt_head *head, struct fargs_pt_context *c)
{
	if (head->ns != c->ns || head->stream != c->stream || head->tid != c->tid ||
	    head->has_time != c->has_time || head->is_guest != c->is_guest)
		fargs_pt_head_make(head, c);
}

/* Same as fargs_pt_put_head(), but copies the columns from @head if @c has not changed. */
static inline void fargs_pt_head_put(struct fargs_pt_head *head, struct fargs_buf *out,
				     struct fargs_pt_context *c)
{
	fargs_pt_head_set(head, c);
	out->is_short |= head->text.is_short;
	fargs_buf_add(out, head->text.text, head->text.n);
}

/* Writes a line for an error or for changed kernel code (FARGS_PT_POKED). */
void fargs_pt_put_error(struct fargs_buf *out, struct fargs_pt_context *c,
			const struct fargs_pt_item *item);

#endif
