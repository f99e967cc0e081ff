/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that every traced call reads. A large size is rounded up to whole pages rather than to a
 * power of two. If possible the pages are contiguous and in the direct map, whose large pages
 * save TLB entries.
 */
#ifndef FARGS_KMOD_BASE_PAGES_H
#define FARGS_KMOD_BASE_PAGES_H

#include <linux/types.h>

/**
 * fargs_pages_alloc() - allocate memory that every traced call reads
 * @bytes: size of the memory
 *
 * The memory is zeroed, and charged to the memory cgroup of the task.
 *
 * Context: Process context. May sleep.
 * Return: The memory, or NULL if out of memory.
 */
void *fargs_pages_alloc(size_t bytes);

/**
 * fargs_pages_free() - free memory allocated by fargs_pages_alloc()
 * @p: the memory; may be NULL
 * @bytes: the size passed to fargs_pages_alloc()
 *
 * Context: Process context. May sleep.
 */
void fargs_pages_free(void *p, size_t bytes);

#endif
