/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_DELAY_H
#define SELFTESTS_KERNEL_DELAY_H

#include <unistd.h>

#define usleep_range(min, max)		usleep(min)

#endif
