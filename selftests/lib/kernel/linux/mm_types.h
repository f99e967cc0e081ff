/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_MM_TYPES_H
#define SELFTESTS_KERNEL_MM_TYPES_H

struct mm_struct {
	void *pgd;
};

#endif
