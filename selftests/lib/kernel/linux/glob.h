/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_GLOB_H
#define SELFTESTS_KERNEL_GLOB_H

#include <fnmatch.h>
#include <stdbool.h>

/* The kernel's glob_match() differs only in that \ within [] is an ordinary character. */
static inline bool glob_match(const char *pattern, const char *text)
{
	return !fnmatch(pattern, text, 0);
}

#endif
