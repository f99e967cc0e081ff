// SPDX-License-Identifier: GPL-2.0-only
#include "base/put.h"

#include "base/escape.h"
#include "base/hex.h"

/* Text is escaped in pieces of this many bytes, and buffer space is reserved for a whole piece. */
#define PIECE	1024

/* Maximum number of digits of a 64-bit number. */
#define DIGITS	20

/* Writes the digits of @v so that they end at @end. Returns a pointer to the first digit. */
static char *digits_before(char *end, uint64_t v)
{
	unsigned int two;

	/* Each division by 100 yields two digits. */
	for (; v >= 100; v /= 100) {
		two = v % 100;
		*--end = '0' + two % 10;
		*--end = '0' + two / 10;
	}
	*--end = '0' + v % 10;
	if (v >= 10)
		*--end = '0' + v / 10;
	return end;
}

void fargs_put_u64(struct fargs_buf *out, uint64_t v, int width, char fill)
{
	char buf[DIGITS], *p = digits_before(buf + sizeof(buf), v);
	int n = buf + sizeof(buf) - p;

	if (width > n)
		fargs_buf_fill(out, fill, width - n);
	fargs_buf_add(out, p, n);
}

void fargs_put_s64(struct fargs_buf *out, int64_t v)
{
	if (v < 0)
		fargs_put_char(out, '-');
	fargs_put_u64(out, v < 0 ? -(uint64_t)v : (uint64_t)v, 0, 0);
}

void fargs_put_u128(struct fargs_buf *out, unsigned __int128 v)
{
	const uint64_t e18 = 1000000000000000000ull;

	if (v >> 64 || (uint64_t)v >= e18) {
		fargs_put_u128(out, v / e18);
		fargs_put_u64(out, v % e18, 18, '0');
	} else {
		fargs_put_u64(out, v, 0, 0);
	}
}

void fargs_put_hex(struct fargs_buf *out, uint64_t v)
{
	char *p;

	if (!fargs_buf_reserve(out, 2 + 16))
		return;
	p = out->text + out->n;
	*p++ = '0';
	*p++ = 'x';
	out->n += 2 + fargs_hex(p, v);
}

void fargs_put_octal(struct fargs_buf *out, uint64_t v)
{
	int n = v ? (66 - __builtin_clzll(v)) / 3 + 1 : 1, i;

	if (!fargs_buf_reserve(out, n))
		return;
	for (i = n; i--; v >>= 3)
		out->text[out->n + i] = '0' + (v & 7);
	out->n += n;
}

/*
 * Returns the length of the first piece of @text: at most @bytes, so that no UTF-8 character is
 * split.
 */
static size_t cut(const unsigned char *text, size_t bytes)
{
	size_t n = bytes;

	while (n > bytes - 4 && (text[n] & 0xc0) == 0x80)
		n--;
	return n;
}

void fargs_put_escaped(struct fargs_buf *out, const void *text, size_t bytes, const char *extra)
{
	const unsigned char *p = text;
	size_t n;

	for (; bytes; p += n, bytes -= n) {
		n = bytes > PIECE ? cut(p, PIECE) : bytes;
		if (!fargs_buf_reserve(out, FARGS_ESCAPE_ROOM(n)))
			return;
		out->n += fargs_escape(out->text + out->n, p, n, extra);
	}
}

void fargs_print_escaped(FILE *to, const char *text)
{
	struct fargs_buf buf = { };

	fargs_put_escaped(&buf, text, strlen(text), NULL);
	fwrite(buf.text, 1, buf.n, to);
	fargs_buf_deinit(&buf);
}
