// SPDX-License-Identifier: GPL-2.0-only
#include "base/buf.h"

#include <stdint.h>
#include <stdlib.h>

/* Initial capacity in bytes: room for several lines of text. */
#define ROOM_MIN	4096

void fargs_buf_deinit(struct fargs_buf *b)
{
	free(b->text);
	*b = (struct fargs_buf){ };
}

bool fargs_buf_grow(struct fargs_buf *b, size_t bytes)
{
	size_t room = b->room ? b->room : ROOM_MIN;
	char *text;

	while (room - b->n < bytes) {
		if (room > SIZE_MAX / 4)
			goto err_short;
		room *= 2;
	}
	text = realloc(b->text, room);
	if (!text)
		goto err_short;
	b->text = text;
	b->room = room;
	return true;

err_short:
	b->is_short = true;
	return false;
}
