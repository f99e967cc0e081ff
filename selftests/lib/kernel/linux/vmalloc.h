/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_VMALLOC_H
#define SELFTESTS_KERNEL_VMALLOC_H

struct page;

#define VM_MAP				0
#define VM_USERMAP			0
#define PAGE_KERNEL			0

void *vmap(struct page **pages, unsigned int nr, unsigned long flags, int protection);
void vunmap(const void *map);

#endif
