/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Matches patterns of conditions: * ? [a-z] [!a-z]; a backslash escapes the next character.
 */
#ifndef FARGS_PIPELINE_FILTER_MATCH_H
#define FARGS_PIPELINE_FILTER_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Does the pattern match the whole of @text? */
bool fargs_match(const char *pattern, size_t pattern_len, const char *text, size_t len);

#endif
