/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_STDDEF_H
#define SELFTESTS_KERNEL_STDDEF_H

#include <stddef.h>

#endif
