/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats are tried in a child process (fargs_formats_validate()), which may crash or hang on a
 * malformed one. Private to formats.c and format_validate.c.
 */
#ifndef FARGS_MODEL_FORMAT_VALIDATE_H
#define FARGS_MODEL_FORMAT_VALIDATE_H

#include <stdbool.h>

#include "model/formats.h"
#include "model/meta.h"

/* As fargs_formats_create(), but no format was read. NULL: no memory. */
struct fargs_formats *fargs_formats_begin(const struct fargs_meta *meta);

/* Reads @format and prints an event of it. False: it is bad; the library may not even return. */
bool fargs_formats_try(struct fargs_formats *f, const struct fargs_event_format *format);

#endif
