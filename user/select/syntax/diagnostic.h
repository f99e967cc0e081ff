/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Diagnostics of expressions: a message, and the column that the message refers to.
 */
#ifndef FARGS_SELECT_SYNTAX_DIAGNOSTIC_H
#define FARGS_SELECT_SYNTAX_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Initialize with zeroes. */
struct fargs_diagnostic {
	unsigned int column;	/* in bytes, from 1; 0: no particular position */
	int code;		/* positive errno; 0: no diagnostic */
	bool is_unknown_argument;	/* the function has no argument of the name at @column */
	char text[320];
};

/*
 * Sets the diagnostic unless one is set already. Returns -EINVAL, or the negative code of the
 * existing diagnostic.
 */
int fargs_diagnostic_at(struct fargs_diagnostic *m, unsigned int column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int fargs_diagnostic_no_memory(struct fargs_diagnostic *m);

/*
 * Formats the diagnostic as an error about @expression: one line "'EXPRESSION', column N: TEXT",
 * then two lines that show the expression with a caret below the column; only TEXT if the column is
 * 0. Returns the negative code.
 */
int fargs_diagnostic_fail(const struct fargs_diagnostic *m, const char *expression,
			  struct fargs_error_text *err);

#endif
