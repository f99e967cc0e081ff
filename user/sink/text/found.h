/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A value that was looked up, as the lines of fargs report show it.
 */
#ifndef FARGS_OUT_FOUND_H
#define FARGS_OUT_FOUND_H

#include "pipeline/filter/lookup.h"
#include "base/buf.h"

/* Strings in quotes; nothing for FARGS_FOUND_NONE. */
void fargs_found_put(struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_found *found);
/* A duration, or a number of ns, with a unit that fits: "1.500 us". */
void fargs_found_put_ns(struct fargs_buf *out, uint64_t ns);

#endif
