/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_CPUFEATURE_H
#define SELFTESTS_KERNEL_CPUFEATURE_H

/*
 * The module checks only for X86_FEATURE_XENPV, because it does not read page tables on Xen PV. The
 * feature is therefore disabled only in programs that simulate page tables.
 */
#ifdef MADE_UP_TABLES
#define cpu_feature_enabled(feature)	0
#else
#define cpu_feature_enabled(feature)	1
#endif

#endif
