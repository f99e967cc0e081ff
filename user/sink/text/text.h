/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes events as lines of text, in the format of ftrace's function tracer.
 */
#ifndef FARGS_SINK_TEXT_TEXT_H
#define FARGS_SINK_TEXT_TEXT_H

#include <stddef.h>

#include "base/buf.h"
#include "model/decoder.h"

/*
 * Writes the line of an event; nothing for kinds without one, such as FARGS_KIND_TASK. Returns 0 or
 * -ENOMEM.
 */
int fargs_text_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);

/* The same, limited to the contents of the record: no BTF, no symbols of callers. */
int fargs_text_event_raw(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev);

/* Writes the five columns of @ev's context, such as "d..1.", to @buf of FARGS_TEXT_FLAGS bytes. */
#define FARGS_TEXT_FLAGS	6
void fargs_text_flags(const struct fargs_event *ev, char *buf);

/* Parts of such a line. The caller checks is_short. */

/* "  cat-1234    [001] d..1. 12345.678901: " */
void fargs_text_head(struct fargs_buf *out, const struct fargs_event *ev);
/*
 * "sched:sched_switch: prev_comm=…" of an FARGS_KIND_EVENT; its fields if @is_raw. Returns 0 or
 * -ENOMEM.
 */
int fargs_text_formatted(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev, bool is_raw);
/* "vfs_read(file=0x…, count=8)", followed by its module. */
void fargs_text_call(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* "(file=0x…, count=8)". */
void fargs_text_args(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* " = -2 (ENOENT), *pos=17"; nothing if there are no values. */
void fargs_text_result(struct fargs_buf *out, struct fargs_decoder *d,
		       const struct fargs_event *ev);
/* "12.345 us", the integer part right-aligned in @width columns. */
void fargs_text_duration(struct fargs_buf *out, const struct fargs_event *ev, int width);
/* " # trigger" if the record's call was a trigger. */
void fargs_text_trigger(struct fargs_buf *out, const struct fargs_event *ev);
/* The stack as in ftrace, one line per caller, each preceded by a newline. */
void fargs_text_stack(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);

#endif
