/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for what every traced call reads: as many pages as it takes, not the next
 * power of two, and of the direct map if there are so many in a row, whose large
 * pages spare TLB entries.
 */
#ifndef FARGS_KMOD_BASE_PAGES_H
#define FARGS_KMOD_BASE_PAGES_H

#include <linux/types.h>

/**
 * fargs_pages_alloc() - allocate memory that every traced call reads
 * @bytes: how many, of any number
 *
 * It is zeroed, and charged to the memory cgroup of the task.
 *
 * Context: Process context. May sleep.
 * Return: The memory, or NULL.
 */
void *fargs_pages_alloc(size_t bytes);

/**
 * fargs_pages_free() - free it
 * @p: the memory; may be NULL
 * @bytes: as many as were allocated
 *
 * Context: Process context. May sleep.
 */
void fargs_pages_free(void *p, size_t bytes);

#endif
