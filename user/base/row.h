/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of Documentation/pt-table.md, whose code a test build can disable, to find out whether the
 * tests notice. A build with -DFARGS_ROWS disables the rows that the environment variable
 * FARGS_DISABLE_ROWS names ("B3 B10"). In other builds the condition is constant.
 */
#ifndef FARGS_BASE_ROW_H
#define FARGS_BASE_ROW_H

#include <stdbool.h>

#ifdef FARGS_ROWS

bool fargs_row_is_enabled(const char *name);

/* Looks up a row once in each place: some are in the decoder's loops. */
#define fargs_row(name) ({						\
	static signed char state_;					\
									\
	if (!state_)							\
		state_ = fargs_row_is_enabled(#name) ? 1 : -1;		\
	state_ > 0;							\
})

#else

#define fargs_row(name)	true

#endif

#endif
