/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_CPUFEATURE_H
#define SELFTESTS_KERNEL_CPUFEATURE_H

/* As where page tables are not to be looked at: there are none, unless they are made up. */
#ifdef MADE_UP_TABLES
#define cpu_feature_enabled(feature)	0
#else
#define cpu_feature_enabled(feature)	1
#endif

#endif
