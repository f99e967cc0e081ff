/* SPDX-License-Identifier: GPL-2.0-only */
/* Stand-in for the kernel header of this name, as far as the shared sources need it. */
#ifndef FARGS_SELFTESTS_KERNEL_LIST_H
#define FARGS_SELFTESTS_KERNEL_LIST_H

struct list_head {
	struct list_head *next, *prev;
};

#endif
