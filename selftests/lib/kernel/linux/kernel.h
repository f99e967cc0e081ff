/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_KERNEL_H
#define SELFTESTS_KERNEL_KERNEL_H

#include <stdarg.h>
#include <stdio.h>

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define BIT(n)			(1ul << (n))
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define round_up(n, to)		(((n) + (to) - 1) / (to) * (to))

#define max_t(type, a, b)			\
({						\
	type a_ = (a), b_ = (b);		\
	a_ > b_ ? a_ : b_;			\
})

#define min_t(type, a, b)			\
({						\
	type a_ = (a), b_ = (b);		\
	a_ < b_ ? a_ : b_;			\
})

#define vscnprintf		vsnprintf	/* the return values differ, but are not used */

#endif
