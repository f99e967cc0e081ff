/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_PREEMPT_H
#define SELFTESTS_KERNEL_PREEMPT_H

#define PREEMPT_MASK			0xffu

#endif
