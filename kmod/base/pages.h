/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that every traced call reads: as many pages as needed rather than the next
 * power of two, and contiguous pages of the direct map if there are enough, since its
 * large pages save TLB entries.
 */
#ifndef FARGS_KMOD_BASE_PAGES_H
#define FARGS_KMOD_BASE_PAGES_H

#include <linux/types.h>

/**
 * fargs_pages_alloc() - allocate memory that every traced call reads
 * @bytes: size of the memory; any number
 *
 * The memory is zeroed, and charged to the memory cgroup of the task.
 *
 * Context: Process context. May sleep.
 * Return: The memory, or NULL.
 */
void *fargs_pages_alloc(size_t bytes);

/**
 * fargs_pages_free() - free memory of fargs_pages_alloc()
 * @p: the memory; may be NULL
 * @bytes: the size that was allocated
 *
 * Context: Process context. May sleep.
 */
void fargs_pages_free(void *p, size_t bytes);

#endif
