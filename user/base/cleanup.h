/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scope guards: what is declared with one is given back when its scope ends.
 */
#ifndef FARGS_UTIL_CLEANUP_H
#define FARGS_UTIL_CLEANUP_H

#include <stdlib.h>

#define __cleanup_with(fn)	__attribute__((cleanup(fn)))

static inline void fargs_cleanup_free(void *p)
{
	free(*(void **)p);
}

#define __cleanup_free	__cleanup_with(fargs_cleanup_free)

#endif
