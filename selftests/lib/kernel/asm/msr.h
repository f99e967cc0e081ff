/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_ASM_MSR_H
#define SELFTESTS_KERNEL_ASM_MSR_H

#include <linux/types.h>

#define rdtsc()			((u64)__builtin_ia32_rdtsc())
#define rdtsc_ordered()		rdtsc()

#endif
