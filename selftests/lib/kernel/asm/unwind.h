/* SPDX-License-Identifier: GPL-2.0-only */
/* Stacks that end at once. */
#ifndef SELFTESTS_KERNEL_ASM_UNWIND_H
#define SELFTESTS_KERNEL_ASM_UNWIND_H

struct unwind_state {
	unsigned long addr;
};

#define unwind_start(state, task, regs, sp)	((state)->addr = 0)
#define unwind_get_return_address(state)	((state)->addr)
#define unwind_next_frame(state)		false
#define unwind_done(state)			true

#endif
