/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_SPECIAL_INSNS_H
#define SELFTESTS_KERNEL_SPECIAL_INSNS_H

#include <asm/page.h>
#include <linux/sched.h>

/* Returns the page tables of the current task, whose user space is always mapped. */
#define __read_cr3()		__pa(current->mm->pgd)

#endif
