/* SPDX-License-Identifier: GPL-2.0-only */
/* The test program defines how waiters are woken. */
#ifndef SELFTESTS_KERNEL_WAIT_H
#define SELFTESTS_KERNEL_WAIT_H

typedef struct {
	int unused;
} wait_queue_head_t;

#define init_waitqueue_head(wait)	((void)((wait)->unused = 0))

void wake_up_interruptible(wait_queue_head_t *wait);

#endif
