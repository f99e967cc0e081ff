/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The source line of a place as text, like "file.c:12".
 */
#ifndef FARGS_MODEL_PLACE_LINE_H
#define FARGS_MODEL_PLACE_LINE_H

#include "base/buf.h"
#include "model/event.h"

/*
 * Sets @text to the line of @place, with a NUL, and returns it. NULL: the line is unknown, or, if
 * text->is_short, out of memory.
 */
const char *fargs_place_line(struct fargs_buf *text, const struct fargs_event_place *place);

#endif
