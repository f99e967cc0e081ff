// SPDX-License-Identifier: GPL-2.0-only
/* Tests the heap that is used for merging. */
#include "base/heap.h"

#include <stdlib.h>

#include "unit/ktap.h"

static struct fargs_heap heap;

/* Removes all elements, and writes them as "ID:KEY ...". */
static const char *take_all(void)
{
	static char text[256];
	size_t n = 0;

	text[0] = 0;
	for (; heap.nr; fargs_heap_pop(&heap))
		n += snprintf(text + n, sizeof(text) - n, "%s%u:%llu", n ? " " : "",
			      heap.items[0].id, (unsigned long long)heap.items[0].key);
	return text;
}

static void orders_by_key_then_number(void)
{
	REQUIRE(!fargs_heap_init(&heap, 6));
	fargs_heap_add(&heap, 5, 20);
	fargs_heap_add(&heap, 3, 10);
	fargs_heap_add(&heap, 4, UINT64_MAX);
	fargs_heap_add(&heap, 2, 20);
	fargs_heap_add(&heap, 1, 20);
	fargs_heap_add(&heap, 0, 30);
	CHECK_STR(take_all(), "3:10 1:20 2:20 5:20 0:30 4:18446744073709551615");
	fargs_heap_deinit(&heap);
}

static void changes_the_top(void)
{
	REQUIRE(!fargs_heap_init(&heap, 3));
	fargs_heap_add(&heap, 0, 1);
	fargs_heap_add(&heap, 1, 2);
	fargs_heap_add(&heap, 2, 3);
	fargs_heap_change(&heap, 3);
	CHECK_INT(heap.items[0].id, 1);
	fargs_heap_change(&heap, 2);
	CHECK_INT(heap.items[0].id, 1);
	fargs_heap_change(&heap, 9);
	CHECK_STR(take_all(), "0:3 2:3 1:9");
	fargs_heap_deinit(&heap);
}

static void can_be_empty(void)
{
	REQUIRE(!fargs_heap_init(&heap, 0));
	CHECK_INT(heap.nr, 0);
	fargs_heap_deinit(&heap);
	fargs_heap_deinit(&heap);
}

#define STREAMS	33

/*
 * Merges streams whose keys grow by random steps, many of them 0, and compares the order with that
 * of a linear search.
 */
static void merges_as_a_plain_search_does(void)
{
	uint64_t next[STREAMS] = { };
	unsigned int i, id, best, left[STREAMS], nr = 0;
	unsigned long long step;

	srandom(1);
	REQUIRE(!fargs_heap_init(&heap, STREAMS));
	for (id = 0; id < STREAMS; id++) {
		left[id] = 1 + random() % 1000;
		nr += left[id];
		next[id] = random() % 4;
		fargs_heap_add(&heap, id, next[id]);
	}
	for (; nr; nr--) {
		for (best = STREAMS, i = 0; i < STREAMS; i++)
			if (left[i] && (best == STREAMS || next[i] < next[best]))
				best = i;
		REQUIRE(heap.nr);
		REQUIRE(heap.items[0].id == best);
		REQUIRE(heap.items[0].key == next[best]);
		step = random() % 3;
		next[best] += step;
		if (--left[best])
			fargs_heap_change(&heap, next[best]);
		else
			fargs_heap_pop(&heap);
	}
	CHECK_INT(heap.nr, 0);
	fargs_heap_deinit(&heap);
}

static const struct ktap_test tests[] = {
	{ "orders by key, then by number", orders_by_key_then_number },
	{ "changes the key of the top", changes_the_top },
	{ "can be empty", can_be_empty },
	{ "merges like a linear search", merges_as_a_plain_search_does },
};

int main(void)
{
	return KTAP_RUN(tests);
}
