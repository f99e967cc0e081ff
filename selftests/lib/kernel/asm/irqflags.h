/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_ASM_IRQFLAGS_H
#define SELFTESTS_KERNEL_ASM_IRQFLAGS_H

static inline unsigned long native_save_fl(void)
{
	return __builtin_ia32_readeflags_u64();
}

#endif
