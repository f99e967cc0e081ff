// SPDX-License-Identifier: GPL-2.0-only
#include "out/put.h"

#include <string.h>

#include "out/escape.h"

/* Escaped in pieces of this many bytes: the buffer is on the stack. */
#define PIECE	1024

void fargs_put(FILE *out, const char *text)
{
	fwrite_unlocked(text, 1, strlen(text), out);
}

void fargs_put_char(FILE *out, char c)
{
	putc_unlocked(c, out);
}

void fargs_put_u64(FILE *out, uint64_t v, int width, char fill)
{
	char buf[24], *p = buf + sizeof(buf);
	int n;

	do {
		*--p = '0' + v % 10;
		v /= 10;
	} while (v);
	n = buf + sizeof(buf) - p;
	for (; width > n; width--)
		putc_unlocked(fill, out);
	fwrite_unlocked(p, 1, n, out);
}

void fargs_put_s64(FILE *out, int64_t v)
{
	if (v < 0)
		putc_unlocked('-', out);
	fargs_put_u64(out, v < 0 ? -(uint64_t)v : (uint64_t)v, 0, 0);
}

void fargs_put_u128(FILE *out, unsigned __int128 v)
{
	const uint64_t e18 = 1000000000000000000ull;

	if (v >> 64 || (uint64_t)v >= e18) {
		fargs_put_u128(out, v / e18);
		fargs_put_u64(out, v % e18, 18, '0');
	} else {
		fargs_put_u64(out, v, 0, 0);
	}
}

void fargs_put_hex(FILE *out, uint64_t v)
{
	char buf[20], *p = buf + sizeof(buf);

	do {
		*--p = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	*--p = 'x';
	*--p = '0';
	fwrite_unlocked(p, 1, buf + sizeof(buf) - p, out);
}

/* Where to cut so that no UTF-8 character of @text is split: at most @bytes. */
static size_t cut(const unsigned char *text, size_t bytes)
{
	size_t n = bytes;

	while (n > bytes - 4 && (text[n] & 0xc0) == 0x80)
		n--;
	return n;
}

void fargs_put_escaped(FILE *out, const void *text, size_t bytes, const char *extra)
{
	char buf[FARGS_ESCAPE_ROOM(PIECE)];
	const unsigned char *p = text;
	size_t n;

	for (; bytes; p += n, bytes -= n) {
		n = bytes > PIECE ? cut(p, PIECE) : bytes;
		fwrite_unlocked(buf, 1, fargs_escape(buf, p, n, extra), out);
	}
}
