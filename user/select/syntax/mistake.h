/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is wrong with an expression, and where.
 */
#ifndef FARGS_EXPR_MISTAKE_H
#define FARGS_EXPR_MISTAKE_H

#include <stddef.h>

#include "base/error.h"

/* Begin with zeroes. */
struct fargs_mistake {
	unsigned int column;	/* in bytes, from 1; 0: of no place */
	int code;		/* errno; 0: there is none */
	char text[320];
};

/* Sets it, unless there is one. Returns -EINVAL, or the code of the first one, negative. */
int fargs_mistake_at(struct fargs_mistake *m, unsigned int column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int fargs_mistake_no_memory(struct fargs_mistake *m);

/*
 * As the text of an error about @expression: one line "'EXPRESSION', column N:
 * what is wrong", then two more that show the place, for a terminal. Returns
 * the code, negative.
 */
int fargs_mistake_fail(const struct fargs_mistake *m, const char *expression,
		       struct fargs_error_text *err);

#endif
