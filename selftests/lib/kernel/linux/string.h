/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_STRING_H
#define SELFTESTS_KERNEL_STRING_H

#include <string.h>

#include <linux/types.h>

/* The kernel's strnlen() accepts pointers to bytes of any type. */
#define strnlen(s, n)		strnlen((const char *)(s), n)

static inline void *memchr_inv(const void *start, int c, size_t bytes)
{
	const u8 *p = start;

	for (; bytes; p++, bytes--)
		if (*p != (u8)c)
			return (void *)p;
	return NULL;
}

#endif
