// SPDX-License-Identifier: GPL-2.0-only
#include "select/syntax/suggest.h"

#include <stdio.h>

const char *fargs_suggest(const struct fargs_near *near, const char *prefix,
			  char buf[FARGS_SUGGEST_MAX])
{
	size_t i, used = 0;

	buf[0] = '\0';
	for (i = 0; i < near->nr && used < FARGS_SUGGEST_MAX; i++)
		used += snprintf(buf + used, FARGS_SUGGEST_MAX - used, "%s'%s%s'%s",
				 !i ? "; did you mean " : i + 1 == near->nr ? " or " : ", ", prefix,
				 near->names[i], i + 1 == near->nr ? "?" : "");
	return buf;
}
