/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the kernel's headers that the module's verifier and interpreter need when they are
 * built for user space. Types come from the system's own header <linux/types.h>.
 */
#ifndef SELFTESTS_KERNEL_TYPES_H
#define SELFTESTS_KERNEL_TYPES_H

#include_next <linux/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef unsigned long long u64;
typedef __s32 s32;
typedef long long s64;
typedef struct {
	s64 counter;
} atomic64_t;

#define __printf(fmt, args)	__attribute__((format(printf, fmt, args)))

#endif
