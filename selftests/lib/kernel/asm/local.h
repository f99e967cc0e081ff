/* SPDX-License-Identifier: GPL-2.0-only */
/* A local_t is changed by one CPU, atomically with respect to interrupts, and read by all CPUs. */
#ifndef SELFTESTS_KERNEL_ASM_LOCAL_H
#define SELFTESTS_KERNEL_ASM_LOCAL_H

typedef struct {
	long value;
} local_t;

#define local_read(l)			__atomic_load_n(&(l)->value, __ATOMIC_RELAXED)
#define local_add(n, l)			((void)__atomic_fetch_add(&(l)->value, n, __ATOMIC_RELAXED))
#define local_inc(l)			local_add(1, l)
#define local_xchg(l, n)		__atomic_exchange_n(&(l)->value, n, __ATOMIC_RELAXED)

#endif
