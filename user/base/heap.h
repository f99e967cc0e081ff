/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers by keys, the smallest key on top; of the same key, the smallest number. For
 * merging streams: the numbers are streams, the keys the times of what comes next in each.
 */
#ifndef FARGS_UTIL_HEAP_H
#define FARGS_UTIL_HEAP_H

#include <stdint.h>

struct fargs_heap {
	unsigned int nr;
	struct fargs_heap_item {
		uint64_t key;
		unsigned int id;
	} *items;		/* items[0] is on top, while nr is not 0 */
};

/* Empty, with room for @room. 0 or -ENOMEM. */
int fargs_heap_init(struct fargs_heap *heap, unsigned int room);
void fargs_heap_deinit(struct fargs_heap *heap);

/* There must be room. */
void fargs_heap_add(struct fargs_heap *heap, unsigned int id, uint64_t key);
/* Takes away what is on top. */
void fargs_heap_pop(struct fargs_heap *heap);
/* What is on top has another key now. */
void fargs_heap_change(struct fargs_heap *heap, uint64_t key);

#endif
