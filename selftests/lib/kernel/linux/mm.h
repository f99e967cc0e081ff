/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_MM_H
#define SELFTESTS_KERNEL_MM_H

#include <linux/mm_types.h>

/* The end of the direct map. Defined by programs that simulate page tables. */
extern void *high_memory;

#endif
