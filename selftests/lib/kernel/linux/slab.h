/* SPDX-License-Identifier: GPL-2.0-only */
/* The C library allocates memory; the test program allocates pages. */
#ifndef SELFTESTS_KERNEL_SLAB_H
#define SELFTESTS_KERNEL_SLAB_H

#include <stdlib.h>
#include <string.h>

#define GFP_KERNEL			0
#define GFP_KERNEL_ACCOUNT		0
#define __GFP_ZERO			0
#define __GFP_RETRY_MAYFAIL		0
#define __GFP_NOWARN			0
typedef int gfp_t;

struct page;

static inline void *made_up_alloc(size_t bytes, size_t align)
{
	void *p = NULL;

	if (posix_memalign(&p, align < sizeof(void *) ? sizeof(void *) : align, bytes))
		return NULL;
	return memset(p, 0, bytes);
}

#define kzalloc(bytes, gfp)		calloc(1, bytes)
#define kvcalloc(nr, bytes, gfp)	calloc(nr, bytes)
#define kfree(p)			free((void *)(p))
#define kvfree(p)			free((void *)(p))

struct page *alloc_pages_node(int node, gfp_t gfp, unsigned int order);
void __free_page(struct page *page);
void *page_address(const struct page *page);

#endif
