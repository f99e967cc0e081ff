/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growing text buffer, in which lines are built before they are written in large pieces.
 */
#ifndef FARGS_BASE_BUF_H
#define FARGS_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A zeroed struct is an empty buffer. */
struct fargs_buf {
	char *text;		/* @n bytes, not NUL-terminated */
	size_t n;
	size_t room;
	bool is_short;		/* text is missing, because memory ran out */
	bool is_coloured;	/* add colours, for a terminal: base/colour.h */
};

void fargs_buf_deinit(struct fargs_buf *b);

/*
 * Makes room for @bytes after the current text. If out of memory, sets is_short and returns false.
 */
bool fargs_buf_grow(struct fargs_buf *b, size_t bytes);

static inline bool fargs_buf_reserve(struct fargs_buf *b, size_t bytes)
{
	return __builtin_expect(b->room - b->n >= bytes, 1) || fargs_buf_grow(b, bytes);
}

static inline void fargs_buf_add(struct fargs_buf *b, const void *text, size_t bytes)
{
	if (!bytes || !fargs_buf_reserve(b, bytes))
		return;
	memcpy(b->text + b->n, text, bytes);
	b->n += bytes;
}

static inline void fargs_buf_add_char(struct fargs_buf *b, char c)
{
	if (fargs_buf_reserve(b, 1))
		b->text[b->n++] = c;
}

static inline void fargs_buf_fill(struct fargs_buf *b, char c, size_t bytes)
{
	if (!bytes || !fargs_buf_reserve(b, bytes))
		return;
	memset(b->text + b->n, c, bytes);
	b->n += bytes;
}

#endif
