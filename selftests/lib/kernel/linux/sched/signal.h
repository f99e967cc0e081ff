/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_SIGNAL_H
#define SELFTESTS_KERNEL_SIGNAL_H

#define fatal_signal_pending(task)	0
#define cond_resched()			do { } while (0)

#endif
