/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Escapes untrusted text, which must not be written to a terminal in any other way. Control
 * characters, invalid bytes and bidirectional controls become C escapes; other valid UTF-8 is kept
 * in a UTF-8 locale.
 */
#ifndef FARGS_BASE_ESCAPE_H
#define FARGS_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Characters that change the direction of the text after them (Unicode's Bidi_Control). C libraries
 * consider them printable, but they can disguise the text of a line.
 */
static inline bool fargs_escape_is_bidi(uint32_t c)
{
	return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Size of a buffer that has room for any text of @bytes bytes after escaping, and for the NUL. */
#define FARGS_ESCAPE_ROOM(bytes)	(4 * (size_t)(bytes) + 5)

/*
 * Escapes @bytes at @src into @dst, which has FARGS_ESCAPE_ROOM(@bytes). @extra: further characters
 * to escape, such as "\"", or NULL. NUL bytes become "\0". Returns the length without the
 * terminating NUL.
 */
size_t fargs_escape(char *dst, const void *src, size_t bytes, const char *extra);

/*
 * Returns the length in bytes of the printable character at @p, of which @left bytes are readable:
 * 1 for ASCII, more for UTF-8 in a UTF-8 locale; 0 if the character is not printable.
 */
size_t fargs_escape_printable(const void *p, size_t left);

#endif
