/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events as lines of text, in the shape of ftrace's function tracer.
 */
#ifndef FARGS_OUT_TEXT_H
#define FARGS_OUT_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "decode/decoder.h"

/*
 * Writes one line for an entry, return, tracepoint or lost event, and nothing
 * for others. Returns 0, or -errno if @out could not be written.
 */
int fargs_text_event(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev);

/* The same with no more than the record itself says: no BTF, no symbols of callers. */
int fargs_text_event_raw(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev);

/* The five columns of @ev's context, as "d..1."; @buf of FARGS_TEXT_FLAGS bytes. */
#define FARGS_TEXT_FLAGS	6
void fargs_text_flags(const struct fargs_event *ev, char *buf);

/* Parts of such a line; errors are for the caller to find, by ferror(). */

/* "  cat-1234    [001] d..1. 12345.678901: " */
void fargs_text_head(FILE *out, const struct fargs_event *ev);
/* "vfs_read(file=0x…, count=8)", with its module behind it. */
void fargs_text_call(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* " = -2 (ENOENT), *pos=17"; nothing if there is nothing to tell. */
void fargs_text_result(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev);
/* "12.345 us", the number in front of the point right-aligned. */
void fargs_text_duration(FILE *out, const struct fargs_event *ev, int width);
/* The stack, a line for each caller as ftrace has them, each with a newline in front. */
void fargs_text_stack(FILE *out, struct fargs_decoder *d, const struct fargs_event *ev);

#endif
