/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads simulated memory; the reads may fault. */
#ifndef SELFTESTS_KERNEL_UACCESS_H
#define SELFTESTS_KERNEL_UACCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Reads simulated memory. Returns false on a fault. Defined by programs that simulate memory. */
bool made_up_read(void *to, unsigned long addr, size_t bytes);

#define __get_kernel_nofault(to, from, type, fault)			\
do {									\
	if (!made_up_read((to), (unsigned long)(from), sizeof(type)))	\
		goto fault;						\
} while (0)

#define __user
#define unsafe_get_user(value, from, fault)				\
	__get_kernel_nofault(&(value), (from), *(from), fault)
#define user_access_begin(from, bytes)	1
#define user_access_end()		do { } while (0)
#define pagefault_disable()		do { } while (0)
#define pagefault_enable()		do { } while (0)

#endif
