/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small pieces of a line. The caller looks at is_short of the buffer when the line is
 * done.
 */
#ifndef FARGS_OUT_PUT_H
#define FARGS_OUT_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

static inline void fargs_put(struct fargs_buf *out, const char *text)
{
	fargs_buf_add(out, text, strlen(text));
}

static inline void fargs_put_char(struct fargs_buf *out, char c)
{
	fargs_buf_add_char(out, c);
}

/* Right-aligned in @width columns, filled with @fill. */
void fargs_put_u64(struct fargs_buf *out, uint64_t v, int width, char fill);
void fargs_put_s64(struct fargs_buf *out, int64_t v);
void fargs_put_u128(struct fargs_buf *out, unsigned __int128 v);
/* With 0x in front; 0 is 0x0. */
void fargs_put_hex(struct fargs_buf *out, uint64_t v);
/* @bytes of foreign text, escaped; @extra as for fargs_escape. */
void fargs_put_escaped(struct fargs_buf *out, const void *text, size_t bytes, const char *extra);
/* The same, to a file. */
void fargs_print_escaped(FILE *to, const char *text);

#endif
