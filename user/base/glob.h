/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Globs with the syntax of ftrace's filters: * ? [a-z] [!a-z], without escapes.
 */
#ifndef FARGS_BASE_GLOB_H
#define FARGS_BASE_GLOB_H

#include <stdbool.h>

/* Does @pattern contain a special character? */
bool fargs_glob_is_pattern(const char *pattern);
/* Does @pattern match all of @text? */
bool fargs_glob_match(const char *pattern, const char *text);

#endif
