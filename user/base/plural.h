/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plurals in messages: "1 call", "2 calls".
 */
#ifndef FARGS_BASE_PLURAL_H
#define FARGS_BASE_PLURAL_H

#include <stdint.h>

/* Returns the ending of a noun that follows the number @nr. */
static inline const char *fargs_plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

#endif
