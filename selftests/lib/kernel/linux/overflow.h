/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_OVERFLOW_H
#define SELFTESTS_KERNEL_OVERFLOW_H

#define struct_size(p, member, nr)	(sizeof(*(p)) + (nr) * sizeof((p)->member[0]))

#endif
