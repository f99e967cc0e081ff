// SPDX-License-Identifier: GPL-2.0-only
#include "base/heap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

int fargs_heap_init(struct fargs_heap *heap, unsigned int room)
{
	heap->nr = 0;
	heap->items = calloc(room ? room : 1, sizeof(*heap->items));
	return heap->items ? 0 : -ENOMEM;
}

void fargs_heap_deinit(struct fargs_heap *heap)
{
	free(heap->items);
	heap->items = NULL;
	heap->nr = 0;
}

static bool is_before(const struct fargs_heap_item *a, const struct fargs_heap_item *b)
{
	return a->key != b->key ? a->key < b->key : a->id < b->id;
}

/* Replaces the top by @item: moves smaller children up until the heap order holds. */
static void sift_down(struct fargs_heap *heap, struct fargs_heap_item item)
{
	struct fargs_heap_item *items = heap->items;
	unsigned int i = 0, child;

	for (; (child = 2 * i + 1) < heap->nr; i = child) {
		if (child + 1 < heap->nr && is_before(&items[child + 1], &items[child]))
			child++;
		if (!is_before(&items[child], &item))
			break;
		items[i] = items[child];
	}
	items[i] = item;
}

void fargs_heap_add(struct fargs_heap *heap, unsigned int id, uint64_t key)
{
	const struct fargs_heap_item item = { .key = key, .id = id };
	unsigned int i = heap->nr++, parent;

	for (; i; i = parent) {
		parent = (i - 1) / 2;
		if (!is_before(&item, &heap->items[parent]))
			break;
		heap->items[i] = heap->items[parent];
	}
	heap->items[i] = item;
}

void fargs_heap_pop(struct fargs_heap *heap)
{
	if (--heap->nr)
		sift_down(heap, heap->items[heap->nr]);
}

void fargs_heap_change(struct fargs_heap *heap, uint64_t key)
{
	sift_down(heap, (struct fargs_heap_item){ .key = key, .id = heap->items[0].id });
}
