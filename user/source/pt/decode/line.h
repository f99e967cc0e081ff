/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What lines have in common, whatever is in them: whose they are, and errors.
 */
#ifndef FARGS_PT_LINE_H
#define FARGS_PT_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "source/pt/decode/flow.h"
#include "source/pt/input/input.h"
#include "source/pt/decode/trace.h"

struct fargs_pt_line {
	const struct fargs_pt_input *in;
	const struct fargs_pt_stream *stream;
	bool has_time;
	uint64_t ns;
	int32_t tid;			/* -1: not known */
	const char *comm;		/* NULL: nobody has asked yet */
};

/* The line is at @tsc in @part, after so many of its CPU's switches. */
void fargs_pt_line_set(struct fargs_pt_line *l, const struct fargs_pt_part *part,
		       size_t nr_switched, uint64_t tsc);

/* "   comm  tid [cpu]  time: " */
void fargs_pt_line_head(struct fargs_buf *out, struct fargs_pt_line *l);

/* What the task was called then. */
const char *fargs_pt_line_comm(struct fargs_pt_line *l);

/* Is it a place where the trace does not tell what was executed? */
bool fargs_pt_line_is_error(const struct fargs_pt_item *item);

/*
 * A line for one, or for POKED: perf's words as far as there are any, and the byte in the
 * stream.
 */
void fargs_pt_line_error(struct fargs_buf *out, const struct fargs_pt_line *l,
			 const struct fargs_pt_item *item);

/* In 16 columns. */
void fargs_pt_line_hex(struct fargs_buf *out, uint64_t v);

#endif
