/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A text buffer of fixed size that is built piece by piece. A piece that does not fit is dropped
 * entirely, and so are all pieces after it.
 */
#ifndef FARGS_BASE_SPAN_H
#define FARGS_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of bytes of text. */
#define FARGS_SPAN_MAX	256

struct fargs_span {
	size_t n;
	bool is_over;		/* a piece did not fit and was dropped */
	char text[FARGS_SPAN_MAX];	/* not NUL-terminated */
};

void fargs_span_init(struct fargs_span *s);
void fargs_span_add(struct fargs_span *s, const void *text, size_t bytes);
void fargs_span_text(struct fargs_span *s, const char *text);
/* Adds untrusted text, escaped; for @extra see fargs_escape(). */
void fargs_span_escaped(struct fargs_span *s, const void *text, size_t bytes, const char *extra);
void fargs_span_u128(struct fargs_span *s, unsigned __int128 v);
void fargs_span_s128(struct fargs_span *s, __int128 v);
/* Adds @v in hexadecimal with the prefix 0x. */
void fargs_span_hex(struct fargs_span *s, uint64_t v);
/* Adds @data in hexadecimal, such as "{de ad}". */
void fargs_span_bytes(struct fargs_span *s, const void *data, size_t bytes);

#endif
