/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_ASM_CURRENT_H
#define SELFTESTS_KERNEL_ASM_CURRENT_H

#include <linux/sched.h>

/* the per-CPU variable, which this_cpu_read() reads */
#define current_task	current

#endif
