/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_CPUFEATURE_H
#define SELFTESTS_KERNEL_CPUFEATURE_H

/* As where page tables are not to be looked at: there are none. */
#define cpu_feature_enabled(feature)	1

#endif
