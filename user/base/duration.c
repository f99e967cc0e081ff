// SPDX-License-Identifier: GPL-2.0-only
#include "base/duration.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int fargs_duration_parse(const char *text, uint64_t *ns, struct fargs_error_text *err)
{
	static const struct unit {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};
	uint64_t number;
	char *end;
	size_t i;

	errno = 0;
	number = strtoull(text, &end, 10);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		/* Require a digit first: strtoull() would accept a sign and leading blanks. */
		if (!isdigit((unsigned char)*text) || strcmp(end, units[i].name))
			continue;
		if (errno == ERANGE || number > UINT64_MAX / units[i].ns)
			return fargs_fail(err, EINVAL, "'%s' is too long", text);
		*ns = number * units[i].ns;
		return 0;
	}
	return fargs_fail(err, EINVAL, "'%s' is not a time: write it like 500ms (ns, us, ms or "
			  "s)", text);
}
