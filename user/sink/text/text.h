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
 * Writes the line of an event; writes nothing for events that have no line, such as
 * FARGS_KIND_TASK. Returns 0 or -ENOMEM.
 */
int fargs_text_event(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);

/*
 * Writes the line of an event with only what the record contains: without BTF and symbols of
 * callers. Returns 0 or -ENOMEM.
 */
int fargs_text_event_raw(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev);

/*
 * Writes the five flag columns of @ev's context, such as "d..1.", to @buf of FARGS_TEXT_FLAGS
 * bytes.
 */
#define FARGS_TEXT_FLAGS	6
void fargs_text_flags(const struct fargs_event *ev, char *buf);

/* The following functions write parts of an event's line. The caller checks is_short of @out. */

/* Writes the first columns: "  cat-1234    [001] d..1. 12345.678901: ". */
void fargs_text_head(struct fargs_buf *out, const struct fargs_event *ev);
/*
 * Writes an FARGS_KIND_EVENT: "sched:sched_switch: prev_comm=…", or its fields if @is_raw.
 * Returns 0 or -ENOMEM.
 */
int fargs_text_formatted(struct fargs_buf *out, struct fargs_decoder *d,
			 const struct fargs_event *ev, bool is_raw);
/* Writes a call: "vfs_read(file=0x…, count=8)", followed by the function's module. */
void fargs_text_call(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* Writes @nr values: "file=0x…, count=8". */
void fargs_text_values(struct fargs_buf *out, struct fargs_decoder *d,
		       const struct fargs_arg *args, unsigned int nr);
/* Writes the arguments: "(file=0x…, count=8)". */
void fargs_text_args(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);
/*
 * Writes the return value and values fetched at the return: " = -2 (ENOENT), *pos=17". Writes
 * nothing if there are none.
 */
void fargs_text_result(struct fargs_buf *out, struct fargs_decoder *d,
		       const struct fargs_event *ev);
/* Writes the duration: "12.345 us", with the integer part right-aligned in @width columns. */
void fargs_text_duration(struct fargs_buf *out, const struct fargs_event *ev, int width);
/* Writes " # trigger" if the call was a trigger. */
void fargs_text_trigger(struct fargs_buf *out, const struct fargs_event *ev);
/* Writes the stack as ftrace does, one line per caller, each preceded by a newline. */
void fargs_text_stack(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_event *ev);

#endif
