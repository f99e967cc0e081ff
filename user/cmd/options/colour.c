// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/colour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fargs_colour_parse(enum fargs_colour_when *when, const char *value,
		       struct fargs_error_text *err)
{
	if (!value || !strcmp(value, "always"))
		*when = FARGS_COLOUR_ALWAYS;
	else if (!strcmp(value, "never"))
		*when = FARGS_COLOUR_NEVER;
	else if (!strcmp(value, "auto"))
		*when = FARGS_COLOUR_AUTO;
	else
		return fargs_fail(err, EINVAL, "'%s' is not a value of this option: give auto, "
				  "always or never", value);
	return 0;
}

bool fargs_colour_is_wanted(enum fargs_colour_when when, int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when == FARGS_COLOUR_NEVER)
		return false;
	return when == FARGS_COLOUR_ALWAYS ||
	       (!(no && *no) && term && *term && strcmp(term, "dumb") && isatty(fd));
}
