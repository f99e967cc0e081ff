/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_COMPILER_H
#define SELFTESTS_KERNEL_COMPILER_H

#include <stddef.h>		/* defines __always_inline if libc has not done so already */

#undef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
/* Atomic, so that ThreadSanitizer does not report intended races. */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
/* What a compiler makes of a plain load of one word on x86-64. */
#define data_race(x)		READ_ONCE(x)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), value, __ATOMIC_RELAXED)
#define barrier()		__asm__ volatile("" : : : "memory")
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define ____cacheline_aligned	__attribute__((__aligned__(64)))
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "=r" (v) : "0" (v))
#define noinline		__attribute__((__noinline__))
#define notrace
#define __uninitialized
#define likely(cond)		__builtin_expect(!!(cond), 1)
#define unlikely(cond)		__builtin_expect(!!(cond), 0)

#endif
