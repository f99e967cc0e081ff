/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_THREAD_INFO_H
#define SELFTESTS_KERNEL_THREAD_INFO_H

struct thread_info {
	unsigned long flags;
};

/* Defined by the test program. */
extern struct thread_info made_up_thread;

#define current_thread_info()	(&made_up_thread)

#endif
