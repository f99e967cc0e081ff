// SPDX-License-Identifier: GPL-2.0-only
#include "model/place_line.h"

#include <string.h>

#include "base/put.h"

const char *fargs_place_line(struct fargs_buf *text, const struct fargs_event_place *place)
{
	const char *slash = place->source_file ? strrchr(place->source_file, '/') : NULL;

	if (!place->source_file)
		return NULL;
	text->n = 0;
	fargs_put(text, slash ? slash + 1 : place->source_file);
	fargs_put_char(text, ':');
	fargs_put_u64(text, place->source_line, 0, ' ');
	fargs_put_char(text, '\0');
	return text->is_short ? NULL : text->text;
}
