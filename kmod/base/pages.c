// SPDX-License-Identifier: GPL-2.0-only
#include "base/pages.h"

#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

void *fargs_pages_alloc(size_t bytes)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO;
	void *p;

	if (bytes < PAGE_SIZE)
		return kmalloc(bytes, gfp);
	/* Contiguous pages are only an optimization: do not retry, and do not warn. */
	p = alloc_pages_exact(bytes, gfp | __GFP_NORETRY | __GFP_NOWARN);
	return p ?: __vmalloc(bytes, gfp);
}

void fargs_pages_free(void *p, size_t bytes)
{
	if (!p)
		return;
	if (is_vmalloc_addr(p))
		vfree(p);
	else if (bytes < PAGE_SIZE)
		kfree(p);
	else
		free_pages_exact(p, bytes);
}
