/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_GLOB_H
#define SELFTESTS_KERNEL_GLOB_H

#include <fnmatch.h>
#include <stdbool.h>

/* Alike but for \ within [], which is an ordinary character to the kernel. */
static inline bool glob_match(const char *pattern, const char *text)
{
	return !fnmatch(pattern, text, 0);
}

#endif
