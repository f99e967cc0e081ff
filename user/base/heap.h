/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A binary heap of ids by key, with the smallest key on top; equal keys are ordered by id. Used to
 * merge streams: an id is a stream, its key the time of the next entry of the stream.
 */
#ifndef FARGS_BASE_HEAP_H
#define FARGS_BASE_HEAP_H

#include <stdint.h>

struct fargs_heap {
	unsigned int nr;
	struct fargs_heap_item {
		uint64_t key;
		unsigned int id;
	} *items;		/* items[0] is the top, if nr is not 0 */
};

/* Initialises an empty heap with a fixed capacity of @room items. Returns 0 or -ENOMEM. */
int fargs_heap_init(struct fargs_heap *heap, unsigned int room);
void fargs_heap_deinit(struct fargs_heap *heap);

/* Adds an item. The heap must not be full. */
void fargs_heap_add(struct fargs_heap *heap, unsigned int id, uint64_t key);
/* Removes the top item. */
void fargs_heap_pop(struct fargs_heap *heap);
/* Changes the key of the top item. */
void fargs_heap_change(struct fargs_heap *heap, uint64_t key);

#endif
