// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"

const char fargs_live_options_help[] =
	"  --count N  end after N events\n"
	"  --json    an object of JSON a line (fargs-json(5))\n"
	"  --color[=WHEN]  functions, values and errors in colours: auto (on a terminal,\n"
	"            unless NO_COLOR is set; the default), always or never\n";

int fargs_live_options_set_colour(struct fargs_live_options *o, const char *value,
				  struct fargs_error_text *err)
{
	o->is_set = true;
	if (!value || !strcmp(value, "always"))
		o->colour = FARGS_COLOUR_ALWAYS;
	else if (!strcmp(value, "never"))
		o->colour = FARGS_COLOUR_NEVER;
	else if (!strcmp(value, "auto"))
		o->colour = FARGS_COLOUR_AUTO;
	else
		return fargs_fail(err, EINVAL, "'%s' is none of auto, always and never", value);
	return 0;
}

int fargs_live_options_set_count(struct fargs_live_options *o, const char *value,
				 struct fargs_error_text *err)
{
	if (fargs_size_parse(value, &o->count, err) || !o->count)
		return fargs_fail(err, EINVAL, "'%s' is not a number of events", value);
	o->is_set = true;
	return 0;
}

bool fargs_live_options_has_colour(const struct fargs_live_options *o, int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->is_json || o->colour == FARGS_COLOUR_NEVER)
		return false;
	return o->colour == FARGS_COLOUR_ALWAYS ||
	       (!(no && *no) && term && *term && strcmp(term, "dumb") && isatty(fd));
}
