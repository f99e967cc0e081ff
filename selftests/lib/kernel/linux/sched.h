/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_SCHED_H
#define SELFTESTS_KERNEL_SCHED_H

#include <linux/mm_types.h>

struct task_struct {
	struct mm_struct *mm;
	int pid, tgid;
	char comm[16];
};

/* The current task. Defined by programs that simulate memory. */
extern struct task_struct *current;

#endif
