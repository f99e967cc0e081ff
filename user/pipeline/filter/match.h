/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Patterns of conditions: * ? [a-z] [!a-z], and a backslash takes the meaning from the next
 * character.
 */
#ifndef FARGS_FILTER_MATCH_H
#define FARGS_FILTER_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Does all of @text match? */
bool fargs_match(const char *pattern, size_t pattern_len, const char *text, size_t len);

#endif
