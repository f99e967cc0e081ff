/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for what every traced call reads: as many pages as it takes, not the next
 * power of two, and of the direct map if there are so many in a row, whose large
 * pages spare TLB entries.
 */
#ifndef FARGS_PAGES_H
#define FARGS_PAGES_H

#include <linux/types.h>

/* Zeroed, charged to the task's memory cgroup; NULL if there is none. Process context. */
void *fargs_pages_alloc(size_t bytes);
/* @bytes as it was allocated; @p may be NULL. */
void fargs_pages_free(void *p, size_t bytes);

#endif
