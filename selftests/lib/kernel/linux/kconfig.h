/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_KCONFIG_H
#define SELFTESTS_KERNEL_KCONFIG_H

/* No option is set. */
#define IS_ENABLED(CONFIG_OPTION)	0

#endif
