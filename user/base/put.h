/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Appends small pieces of a line to a buffer. The caller checks is_short of the buffer when the
 * line is complete.
 */
#ifndef FARGS_BASE_PUT_H
#define FARGS_BASE_PUT_H

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

/* Appends @v, right-aligned in @width columns and padded with @fill. */
void fargs_put_u64(struct fargs_buf *out, uint64_t v, int width, char fill);
void fargs_put_s64(struct fargs_buf *out, int64_t v);
void fargs_put_u128(struct fargs_buf *out, unsigned __int128 v);
/* Appends @v in hexadecimal with the prefix 0x; 0 is written as 0x0. */
void fargs_put_hex(struct fargs_buf *out, uint64_t v);
/* Appends @v in octal with the prefix 0; 0 is written as 0. */
void fargs_put_octal(struct fargs_buf *out, uint64_t v);
/* Appends @bytes of untrusted text, escaped; for @extra see fargs_escape(). */
void fargs_put_escaped(struct fargs_buf *out, const void *text, size_t bytes, const char *extra);
/* Escapes the untrusted string @text, and writes it to the stream @to. */
void fargs_print_escaped(FILE *to, const char *text);

#endif
