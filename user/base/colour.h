/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Colours of a terminal (ECMA-48 SGR), in text that is_coloured; in other text they are nothing.
 * They do not go into each other.
 */
#ifndef FARGS_OUT_COLOUR_H
#define FARGS_OUT_COLOUR_H

#include "base/put.h"

enum fargs_colour {
	FARGS_COLOUR_FUNC,	/* what was called, or has happened */
	FARGS_COLOUR_VALUE,
	FARGS_COLOUR_ERROR,	/* a call that failed, and what was lost */
};

static inline void fargs_colour_begin(struct fargs_buf *out, enum fargs_colour colour)
{
	/* Those that can be read on a dark and on a light background. */
	static const char *const begin[] = { "\033[1m", "\033[36m", "\033[1;31m" };

	if (out->is_coloured)
		fargs_put(out, begin[colour]);
}

static inline void fargs_colour_end(struct fargs_buf *out)
{
	if (out->is_coloured)
		fargs_put(out, "\033[0m");
}

#endif
