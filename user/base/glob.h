/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Globs as ftrace's filters have them: * ? [a-z] [!a-z], and nothing escapes.
 */
#ifndef FARGS_UTIL_GLOB_H
#define FARGS_UTIL_GLOB_H

#include <stdbool.h>

/* Has @pattern any special character at all? */
bool fargs_glob_is_pattern(const char *pattern);
/* Does all of @text match? */
bool fargs_glob_match(const char *pattern, const char *text);

#endif
