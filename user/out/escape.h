/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only way for foreign bytes to a terminal: control and invalid bytes are
 * escaped as C does it, valid UTF-8 stays in a UTF-8 locale.
 */
#ifndef FARGS_OUT_ESCAPE_H
#define FARGS_OUT_ESCAPE_H

#include <stddef.h>

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
