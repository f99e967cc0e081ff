/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only way for foreign bytes to a terminal: control and invalid bytes are
 * escaped as C does it, and what turns text; other valid UTF-8 stays in a UTF-8 locale.
 */
#ifndef FARGS_OUT_ESCAPE_H
#define FARGS_OUT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Characters that turn the direction of the text after them (Unicode's Bidi_Control). Printable to
 * C libraries, they make a line look as if it said something else.
 */
static inline bool fargs_escape_is_bidi(uint32_t c)
{
	return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Room for @bytes escaped, NUL included. */
#define FARGS_ESCAPE_ROOM(bytes)	(4 * (size_t)(bytes) + 5)

/*
 * Escapes @bytes at @src into @dst of FARGS_ESCAPE_ROOM(@bytes). @extra: further
 * characters to escape, as "\"", or NULL. Returns the length without the NUL.
 * NUL bytes come out as "\0".
 */
size_t fargs_escape(char *dst, const void *src, size_t bytes, const char *extra);

/*
 * Bytes of the printable character at @p, with @left bytes before the end: 1
 * for ASCII, more for UTF-8 in a UTF-8 locale; 0 if it is not printable.
 */
size_t fargs_escape_printable(const void *p, size_t left);

#endif
