/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats "; did you mean 'x'?" for the end of a diagnostic.
 */
#ifndef FARGS_SELECT_SYNTAX_SUGGEST_H
#define FARGS_SELECT_SYNTAX_SUGGEST_H

#include "base/near.h"

#define FARGS_SUGGEST_MAX	160

/*
 * Writes the suggestion for @near to @buf, with @prefix before each name. Returns @buf, which is
 * empty if there are no similar names.
 */
const char *fargs_suggest(const struct fargs_near *near, const char *prefix,
			  char buf[FARGS_SUGGEST_MAX]);

#endif
