/* SPDX-License-Identifier: GPL-2.0-only */
/* The address space layout of x86-64 with four levels of page tables and without KASLR. */
#ifndef SELFTESTS_KERNEL_PAGE_H
#define SELFTESTS_KERNEL_PAGE_H

#define PAGE_SHIFT		12
#define PAGE_SIZE		(1ul << PAGE_SHIFT)
#define PAGE_MASK		(~(PAGE_SIZE - 1))
#define TASK_SIZE_MAX		((1ul << 47) - PAGE_SIZE)
#define PAGE_OFFSET		0xffff888000000000ul
#define __START_KERNEL_map	0xffffffff80000000ul
#define __VIRTUAL_MASK		((1ul << 47) - 1)
#define __PHYSICAL_MASK		((1ul << 52) - 1)
#define __va(addr)		((void *)((addr) + PAGE_OFFSET))
#define __pa(addr)		((unsigned long)(addr) - PAGE_OFFSET)

#endif
