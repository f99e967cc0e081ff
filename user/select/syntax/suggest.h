/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "; did you mean 'x'?", for the end of a mistake.
 */
#ifndef FARGS_EXPR_SUGGEST_H
#define FARGS_EXPR_SUGGEST_H

#include "base/near.h"

#define FARGS_SUGGEST_MAX	160

/* Each name has @prefix in front. Returns @buf: empty if nothing is near. */
const char *fargs_suggest(const struct fargs_near *near, const char *prefix,
			  char buf[FARGS_SUGGEST_MAX]);

#endif
