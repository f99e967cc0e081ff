/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Terminal colours (ECMA-48 SGR). They are written only to buffers whose is_coloured is set.
 * Colours do not nest.
 */
#ifndef FARGS_BASE_COLOUR_H
#define FARGS_BASE_COLOUR_H

#include "base/put.h"

enum fargs_colour {
	FARGS_COLOUR_FUNC,	/* names of called functions and of events */
	FARGS_COLOUR_VALUE,
	FARGS_COLOUR_ERROR,	/* for failed calls and for losses */
};

static inline void fargs_colour_begin(struct fargs_buf *out, enum fargs_colour colour)
{
	/* Colours that are readable on dark and light backgrounds. */
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
