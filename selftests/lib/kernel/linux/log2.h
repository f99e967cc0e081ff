/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_LOG2_H
#define SELFTESTS_KERNEL_LOG2_H

/* The binary logarithm of @n, rounded up. */
#define order_base_2(n)		((n) <= 1 ? 0 : 64 - __builtin_clzl((n) - 1ul))

#endif
