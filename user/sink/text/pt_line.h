/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the lines of an Intel PT trace, in the format of perf script.
 */
#ifndef FARGS_SINK_TEXT_PT_LINE_H
#define FARGS_SINK_TEXT_PT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/decoder.h"

/* When, where and in which task something was executed. */
struct fargs_pt_line {
	const char *comm;
	int32_t tid;		/* -1: unknown */
	uint32_t cpu;		/* UINT32_MAX: unknown */
	bool has_time;
	uint64_t ns;
};

/* Writes the columns at the beginning of a line: "   comm  tid [cpu]  time: ". */
void fargs_pt_line_head(struct fargs_buf *out, const struct fargs_pt_line *line);
/* The two halves of fargs_pt_line_head(). */
void fargs_pt_line_task(struct fargs_buf *out, const struct fargs_pt_line *line);
void fargs_pt_line_time(struct fargs_buf *out, const struct fargs_pt_line *line);

/* Writes the line of an error that occurred after the instruction at @ip. */
void fargs_pt_line_error(struct fargs_buf *out, const struct fargs_pt_line *line, uint64_t ip,
			 const struct fargs_event_error *error);

/* Room for perf's column flags, which has no NUL. */
#define FARGS_PT_LINE_FLAGS	28

/*
 * Writes perf's column flags to @to: @words, such as "call", and @marks, such as "x" in a
 * transaction. Returns its length.
 */
size_t fargs_pt_line_flags(char to[FARGS_PT_LINE_FLAGS], const char *words, const char *marks);

/* Writes @v in hexadecimal, right-aligned in 16 columns. */
void fargs_pt_line_hex(struct fargs_buf *out, uint64_t v);

/*
 * Writes the line of a call, return or tracepoint of an Intel PT trace (ev->trace), indented by its
 * depth, in the format of perf script --call-trace or, if returns have their own lines,
 * --call-ret-trace.
 */
void fargs_pt_line_call(struct fargs_buf *out, struct fargs_decoder *d,
			const struct fargs_event *ev);
/*
 * Writes the line of an FARGS_EVENT_BRANCH, FARGS_EVENT_INSN or FARGS_EVENT_ERROR, or of what else
 * Intel PT shows.
 */
void fargs_pt_line_event(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev);

#endif
