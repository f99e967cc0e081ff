/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fields of formatted events as text, for exports.
 */
#ifndef FARGS_SINK_EXPORT_FIELD_TEXT_H
#define FARGS_SINK_EXPORT_FIELD_TEXT_H

#include "base/buf.h"
#include "model/formats.h"

/*
 * Appends the value of a field: a string with its control characters escaped; numbers separated by
 * spaces, pointers in hexadecimal; bytes (FARGS_FIELD_BYTES) as two hexadecimal digits each, as in
 * fargs-json(5).
 */
void fargs_field_text_put(struct fargs_buf *out, const struct fargs_field *field);

#endif
