/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_COMPILER_H
#define SELFTESTS_KERNEL_COMPILER_H

#include <stddef.h>		/* whose __always_inline may come first */

#undef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define noinline		__attribute__((__noinline__))
#define notrace
#define __uninitialized
#define likely(cond)		__builtin_expect(!!(cond), 1)
#define unlikely(cond)		__builtin_expect(!!(cond), 0)

#endif
