/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as lines of text, in the shape of ftrace's function tracer.
 */
#ifndef FARGS_OUT_TEXT_H
#define FARGS_OUT_TEXT_H

#include <stddef.h>

#include "model/decoder.h"
#include "base/buf.h"

/*
 * Writes one line for an entry, return, tracepoint or lost event, and nothing
 * for others. Returns 0 or -ENOMEM.
 */
int fargs_text_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);

/* The same with no more than the record itself says: no BTF, no symbols of callers. */
int fargs_text_event_raw(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev);

/* The five columns of @ev's context, as "d..1."; @buf of FARGS_TEXT_FLAGS bytes. */
#define FARGS_TEXT_FLAGS	6
void fargs_text_flags(const struct fargs_event *ev, char *buf);

/* Parts of such a line; that memory was missing is for the caller to find. */

/* "  cat-1234    [001] d..1. 12345.678901: " */
void fargs_text_head(struct fargs_buf *out, const struct fargs_event *ev);
/*
 * "sched:sched_switch: prev_comm=…" of FARGS_KIND_EVENT, its fields if @is_raw. 0 or
 * -ENOMEM.
 */
int fargs_text_formatted(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev, bool is_raw);
/* "vfs_read(file=0x…, count=8)", with its module behind it. */
void fargs_text_call(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* "(file=0x…, count=8)". */
void fargs_text_args(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* " = -2 (ENOENT), *pos=17"; nothing if there is nothing to tell. */
void fargs_text_result(struct fargs_buf *out, struct fargs_decoder *d,
		       const struct fargs_event *ev);
/* "12.345 us", the number in front of the point right-aligned. */
void fargs_text_duration(struct fargs_buf *out, const struct fargs_event *ev, int width);
/* " # trigger" for the record of a call that triggered. */
void fargs_text_trigger(struct fargs_buf *out, const struct fargs_event *ev);
/* The stack, a line for each caller as ftrace has them, each with a newline in front. */
void fargs_text_stack(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);

#endif
