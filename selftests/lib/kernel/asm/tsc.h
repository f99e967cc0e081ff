/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_ASM_TSC_H
#define SELFTESTS_KERNEL_ASM_TSC_H

#define tsc_khz			0
#define check_tsc_unstable()	0
#define boot_cpu_has(feature)	1

#endif
