/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_FTRACE_H
#define SELFTESTS_KERNEL_FTRACE_H

#include <linux/ptrace.h>

struct ftrace_ops {
	unsigned long flags;
};

struct ftrace_regs {
	struct pt_regs regs;
};

#endif
