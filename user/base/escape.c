// SPDX-License-Identifier: GPL-2.0-only
#include "base/escape.h"

#include <string.h>
#include <wchar.h>
#include <wctype.h>

#define LIBBSD_NETBSD_VIS
#include <bsd/vis.h>

/*
 * Returns the length of the printable multibyte character at @p, or 0 if there is none. vis(3) is
 * not used for such characters: libbsd 0.11 does not escape invalid bytes from 0xa0 on, and garbles
 * valid characters next to them.
 */
static size_t printable_wide(const unsigned char *p, size_t left)
{
	mbstate_t state = { 0 };
	wchar_t wc;
	size_t n;

	n = mbrtowc(&wc, (const char *)p, left, &state);
	/* mbrtowc() returns (size_t)-1 or -2 on error, and 1 in a locale that is not UTF-8. */
	return n > left || n < 2 || !iswprint(wc) || fargs_escape_is_bidi(wc) ? 0 : n;
}

/* Returns how many bytes at the start need no escaping; for most names, this is the whole name. */
static size_t count_plain(const unsigned char *p, const unsigned char *end, const char *extra)
{
	const unsigned char *from = p;

	while (p < end && (unsigned char)(*p - ' ') <= '~' - ' ' && *p != '\\' &&
	       !(extra && strchr(extra, *p)))
		p++;
	return p - from;
}

size_t fargs_escape(char *dst, const void *src, size_t bytes, const char *extra)
{
	const unsigned char *p = src, *end = p + bytes;
	char *at = dst, *next;
	size_t n;

	while (p < end) {
		n = count_plain(p, end, extra);
		if (n) {
			memcpy(at, p, n);
			at += n;
			p += n;
			continue;
		}
		n = *p >= 0x80 ? printable_wide(p, end - p) : 0;
		if (n) {
			memcpy(at, p, n);
			at += n;
			p += n;
			continue;
		}
		/*
		 * svis() writes NUL as "\0" unless an octal digit follows, so it needs the next
		 * byte.
		 */
		next = svis(at, *p, VIS_CSTYLE | VIS_NL | VIS_TAB | VIS_NOLOCALE,
			    p + 1 < end ? p[1] : 0, extra ? extra : "");
		if (next)
			at = next;
		else
			*at++ = '?';	/* svis() failed: out of memory */
		p++;
	}
	*at = 0;
	return at - dst;
}

size_t fargs_escape_printable(const void *p, size_t left)
{
	unsigned char c;

	if (!left)
		return 0;
	c = *(const unsigned char *)p;
	if (c < 0x80)
		return c >= ' ' && c <= '~';
	return printable_wide(p, left);
}
