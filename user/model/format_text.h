/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the formats of events as text, for files that contain them.
 */
#ifndef FARGS_MODEL_FORMAT_TEXT_H
#define FARGS_MODEL_FORMAT_TEXT_H

#include "base/buf.h"
#include "model/formats.h"

/*
 * Appends the format of the event with this @id as in tracefs, from the line after "format:" on:
 * the fields and the print format. If the text is unknown, it is rebuilt from libtraceevent's parse
 * tree; if that is impossible for the print format, writes one that prints all numbers and strings.
 * Returns 0, -ENOENT if the event has no format, or -ENOMEM.
 */
int fargs_format_text_put(struct fargs_buf *out, const struct fargs_formats *f, unsigned int id);

#endif
