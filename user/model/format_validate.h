/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that fargs_formats_validate() uses to test formats in a child process, since a
 * malformed format may crash or hang libtraceevent. Private to formats.c and format_validate.c.
 */
#ifndef FARGS_MODEL_FORMAT_VALIDATE_H
#define FARGS_MODEL_FORMAT_VALIDATE_H

#include <stdbool.h>

#include "model/formats.h"
#include "model/meta.h"

/* Like fargs_formats_create(), but does not parse formats yet. NULL: no memory. */
struct fargs_formats *fargs_formats_begin(const struct fargs_meta *meta);

/*
 * Parses @format and prints an event with it. Returns false if the format is bad; libtraceevent may
 * also crash or hang.
 */
bool fargs_formats_try(struct fargs_formats *f, const struct fargs_event_format *format);

#endif
