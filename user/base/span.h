/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text of limited length that is built up piece by piece. A piece goes in whole
 * or not at all, and after one that did not, none does.
 */
#ifndef FARGS_OUT_SPAN_H
#define FARGS_OUT_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes of text. */
#define FARGS_SPAN_MAX	256

struct fargs_span {
	size_t n;
	bool is_over;		/* a piece had no room */
	char text[FARGS_SPAN_MAX];	/* no NUL at the end */
};

void fargs_span_init(struct fargs_span *s);
void fargs_span_add(struct fargs_span *s, const void *text, size_t bytes);
void fargs_span_text(struct fargs_span *s, const char *text);
/* Foreign text, escaped; @extra as for fargs_escape. */
void fargs_span_escaped(struct fargs_span *s, const void *text, size_t bytes, const char *extra);
void fargs_span_u128(struct fargs_span *s, unsigned __int128 v);
void fargs_span_s128(struct fargs_span *s, __int128 v);
/* With 0x in front. */
void fargs_span_hex(struct fargs_span *s, uint64_t v);
/* "{de ad}" */
void fargs_span_bytes(struct fargs_span *s, const void *data, size_t bytes);

#endif
