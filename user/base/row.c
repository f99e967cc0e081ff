// SPDX-License-Identifier: GPL-2.0-only
#include "base/row.h"

#ifdef FARGS_ROWS

#include <stdlib.h>
#include <string.h>

bool fargs_row_is_enabled(const char *name)
{
	const char *c = getenv("FARGS_DISABLE_ROWS");
	size_t n = strlen(name);

	for (; c && *c; c += strspn(c, " ")) {
		size_t word = strcspn(c, " ");

		if (word == n && !memcmp(c, name, n))
			return false;
		c += word;
	}
	return true;
}

#endif
