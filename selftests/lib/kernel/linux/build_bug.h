/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_BUILD_BUG_H
#define SELFTESTS_KERNEL_BUILD_BUG_H

#define static_assert(cond)	_Static_assert(cond, #cond)

#endif
