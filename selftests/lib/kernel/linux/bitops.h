/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_BITOPS_H
#define SELFTESTS_KERNEL_BITOPS_H

#define __ffs(word)		((unsigned long)__builtin_ctzl(word))

#endif
