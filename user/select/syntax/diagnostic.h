/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Diagnostics of expressions: a text and the column it is about.
 */
#ifndef FARGS_SELECT_SYNTAX_DIAGNOSTIC_H
#define FARGS_SELECT_SYNTAX_DIAGNOSTIC_H

#include <stddef.h>

#include "base/error.h"

/* Initialize with zeroes. */
struct fargs_diagnostic {
	unsigned int column;	/* bytes from 1; 0: no particular place */
	int code;		/* errno; 0: no diagnostic */
	char text[320];
};

/*
 * Sets the diagnostic unless there is one already. Returns -EINVAL, or the negative code of the
 * earlier one.
 */
int fargs_diagnostic_at(struct fargs_diagnostic *m, unsigned int column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int fargs_diagnostic_no_memory(struct fargs_diagnostic *m);

/*
 * Formats the diagnostic as an error about @expression: one line "'EXPRESSION', column N: TEXT",
 * then two that show the place on a terminal. Returns the negative code.
 */
int fargs_diagnostic_fail(const struct fargs_diagnostic *m, const char *expression,
			  struct fargs_error_text *err);

#endif
