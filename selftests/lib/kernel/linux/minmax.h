/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_MINMAX_H
#define SELFTESTS_KERNEL_MINMAX_H

#include <linux/kernel.h>

#endif
