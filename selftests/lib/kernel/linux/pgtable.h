/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_PGTABLE_H
#define SELFTESTS_KERNEL_PGTABLE_H

#include <asm/page.h>

#define VMALLOC_START		0xffffc90000000000ul
#define VMALLOC_END		0xffffe8fffffffffful
#define MODULES_END		0xffffffffff000000ul
#define PTRS_PER_PTE		512
#define _PAGE_PRESENT		0x001ul
#define _PAGE_PWT		0x008ul
#define _PAGE_PCD		0x010ul
#define _PAGE_PSE		0x080ul
#define _PAGE_PAT		0x080ul
#define _PAGE_PAT_LARGE		0x1000ul
#define pgtable_l5_enabled()	0

#endif
