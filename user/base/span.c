// SPDX-License-Identifier: GPL-2.0-only
#include "base/span.h"

#include <string.h>

#include "base/escape.h"

static const char digits[] = "0123456789abcdef";

void fargs_span_init(struct fargs_span *s)
{
	s->n = 0;
	s->is_over = false;
}

void fargs_span_add(struct fargs_span *s, const void *text, size_t bytes)
{
	if (s->is_over || bytes > sizeof(s->text) - s->n) {
		s->is_over = true;
		return;
	}
	memcpy(s->text + s->n, text, bytes);
	s->n += bytes;
}

void fargs_span_text(struct fargs_span *s, const char *text)
{
	fargs_span_add(s, text, strlen(text));
}

void fargs_span_escaped(struct fargs_span *s, const void *text, size_t bytes, const char *extra)
{
	char buf[FARGS_ESCAPE_ROOM(FARGS_SPAN_MAX)];

	/* Escaping never shortens text, so text longer than the buffer cannot fit. */
	if (bytes > FARGS_SPAN_MAX)
		s->is_over = true;
	else
		fargs_span_add(s, buf, fargs_escape(buf, text, bytes, extra));
}

void fargs_span_u128(struct fargs_span *s, unsigned __int128 v)
{
	char buf[40], *p = buf + sizeof(buf);
	uint64_t low;

	for (; v >> 64; v /= 10)
		*--p = '0' + (int)(v % 10);
	low = (uint64_t)v;
	do {
		*--p = '0' + low % 10;
		low /= 10;
	} while (low);
	fargs_span_add(s, p, buf + sizeof(buf) - p);
}

void fargs_span_s128(struct fargs_span *s, __int128 v)
{
	unsigned __int128 size = v;

	if (v < 0) {
		fargs_span_text(s, "-");
		size = -size;
	}
	fargs_span_u128(s, size);
}

void fargs_span_hex(struct fargs_span *s, uint64_t v)
{
	char buf[18], *p = buf + sizeof(buf);

	do {
		*--p = digits[v & 15];
		v >>= 4;
	} while (v);
	*--p = 'x';
	*--p = '0';
	fargs_span_add(s, p, buf + sizeof(buf) - p);
}

void fargs_span_bytes(struct fargs_span *s, const void *data, size_t bytes)
{
	const uint8_t *p = data;
	size_t i;

	fargs_span_text(s, "{");
	for (i = 0; i < bytes && !s->is_over; i++) {
		const char hex[] = { ' ', digits[p[i] >> 4], digits[p[i] & 15] };

		fargs_span_add(s, hex + !i, sizeof(hex) - !i);
	}
	fargs_span_text(s, "}");
}
