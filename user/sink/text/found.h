/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats looked-up values in the same way as fargs report shows arguments.
 */
#ifndef FARGS_SINK_TEXT_FOUND_H
#define FARGS_SINK_TEXT_FOUND_H

#include "base/buf.h"
#include "pipeline/filter/lookup.h"

/* Writes the value @found. Strings are quoted; nothing is written for FARGS_FOUND_NONE. */
void fargs_found_put(struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_found *found);
/* Writes a duration of @ns with three decimals and a suitable unit: "1.500 us". */
void fargs_found_put_ns(struct fargs_buf *out, uint64_t ns);

#endif
