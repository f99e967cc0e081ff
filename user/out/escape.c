// SPDX-License-Identifier: GPL-2.0-only
#include "out/escape.h"

#include <string.h>

#define LIBBSD_NETBSD_VIS
#include <bsd/vis.h>

size_t fargs_escape(char *dst, const void *src, size_t bytes, const char *extra)
{
	const unsigned char *p = src;
	size_t i;
	int n;

	/* Nearly everything is plain; vis(3) allocates and converts to wide characters. */
	for (i = 0; i < bytes; i++)
		if (p[i] < ' ' || p[i] > '~' || p[i] == '\\' || (extra && strchr(extra, p[i])))
			break;
	if (i == bytes) {
		memcpy(dst, src, bytes);
		dst[bytes] = 0;
		return bytes;
	}
	n = strsvisx(dst, src, bytes, VIS_CSTYLE | VIS_NL | VIS_TAB, extra ? extra : "");
	if (n >= 0)
		return n;
	/* It found no memory: nothing of this may get out as it is. */
	memset(dst, '?', bytes);
	dst[bytes] = 0;
	return bytes;
}
