// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests growing arrays. Linked with --wrap=realloc, which the compiler must not treat as a builtin.
 */
#include "base/array.h"

#include "unit/ktap.h"

void *__real_realloc(void *p, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);

/*
 * Volatile, because <stdlib.h> declares realloc() a leaf function, so the compiler assumes that it
 * changes no variables of this file.
 */
static volatile unsigned int nr_reallocs;
static volatile bool is_short;		/* realloc() must fail */
static volatile size_t last_bytes;

void *__wrap_realloc(void *p, size_t bytes)
{
	nr_reallocs++;
	last_bytes = bytes;
	return is_short ? NULL : __real_realloc(p, bytes);
}

static unsigned int nr_differing(const uint32_t *array, size_t nr)
{
	unsigned int differing = 0;
	size_t i;

	for (i = 0; i < nr; i++)
		differing += array[i] != (uint32_t)i * 7;
	return differing;
}

static void adds_and_counts(void)
{
	uint32_t *array = NULL, *to;
	size_t nr = 0, i;

	nr_reallocs = 0;
	for (i = 0; i < 1000; i++) {
		to = fargs_array_add(array, nr);
		REQUIRE(to && to == &array[i] && nr == i + 1);
		REQUIRE(last_bytes >= nr * sizeof(*to));
		*to = (uint32_t)i * 7;
	}
	CHECK_INT(nr_differing(array, nr), 0);
	/* The array was reallocated at each power of two, to at most twice the size. */
	CHECK_INT(nr_reallocs, 11);
	CHECK_INT(last_bytes, 1024 * sizeof(*array));
	free(array);
}

/*
 * Tests elements that are added after others were removed from the end: there must be room for
 * them.
 */
static void adds_again_after_elements_were_taken(void)
{
	uint32_t *array = NULL, *to;
	size_t nr = 0, most, step;

	srandom(4);
	for (step = 0; step < 2000; step++) {
		most = nr + random() % 40;
		while (nr < most) {
			to = fargs_array_add(array, nr);
			REQUIRE(to);
			*to = (uint32_t)(nr - 1) * 7;
		}
		REQUIRE(!nr_differing(array, nr));
		nr -= random() % (nr + 1);
		REQUIRE(!nr_differing(array, nr));
	}
	free(array);
}

static void changes_nothing_when_memory_is_short(void)
{
	uint32_t *array = NULL, *before, *to;
	size_t nr = 0, i;

	is_short = true;
	CHECK(!fargs_array_add(array, nr));
	CHECK(!array && !nr);
	for (i = 0; i < 100; i++) {
		before = array;
		to = fargs_array_add(array, nr);
		if (!to) {
			CHECK(array == before);
			CHECK_INT(nr, i);
			CHECK_INT(nr_differing(array, nr), 0);
			is_short = false;
			to = fargs_array_add(array, nr);
			is_short = true;
		}
		REQUIRE(to);
		*to = (uint32_t)i * 7;
	}
	is_short = false;
	CHECK_INT(nr_differing(array, nr), 0);
	free(array);
}

struct large {
	char bytes[1 << 20];
};

static void refuses_more_than_can_be_counted(void)
{
	struct large element, *array = &element;
	size_t nr = SIZE_MAX / sizeof(element) / 2 + 1, room = nr;

	nr_reallocs = 0;
	CHECK(!fargs_array_add(array, nr));
	CHECK(!fargs_array_push(array, nr, room));
	CHECK(nr == SIZE_MAX / sizeof(element) / 2 + 1 && room == nr && array == &element);
	CHECK_INT(nr_reallocs, 0);
}

static void pushes_without_moving_what_was_once_there(void)
{
	uint32_t *array = NULL, *to;
	size_t nr = 0, room = 0, i;

	for (i = 0; i < 100; i++) {
		to = fargs_array_push(array, nr, room);
		REQUIRE(to && to == &array[i] && nr == i + 1 && nr <= room);
		REQUIRE(last_bytes == room * sizeof(*to));
		*to = (uint32_t)i * 7;
	}
	CHECK_INT(nr_differing(array, nr), 0);
	CHECK_INT(room, 128);
	nr_reallocs = 0;
	for (nr = 0; nr < 100;)
		REQUIRE(fargs_array_push(array, nr, room));
	CHECK_INT(nr_reallocs, 0);
	free(array);
}

static void pushes_nothing_when_memory_is_short(void)
{
	uint32_t *array = NULL, *before, *to;
	size_t nr = 0, room = 0, i;

	is_short = true;
	CHECK(!fargs_array_push(array, nr, room));
	CHECK(!array && !nr && !room);
	is_short = false;
	for (i = 0; i < 16; i++) {
		to = fargs_array_push(array, nr, room);
		REQUIRE(to);
		*to = (uint32_t)i * 7;
	}
	before = array;
	is_short = true;
	CHECK(!fargs_array_push(array, nr, room));
	is_short = false;
	CHECK(array == before && nr == 16 && room == 16);
	CHECK_INT(nr_differing(array, nr), 0);
	free(array);
}

static const struct ktap_test tests[] = {
	{ "adds and counts", adds_and_counts },
	{ "adds again after elements were taken", adds_again_after_elements_were_taken },
	{ "changes nothing if an allocation fails", changes_nothing_when_memory_is_short },
	{ "refuses a size that overflows", refuses_more_than_can_be_counted },
	{ "pushes without moving earlier elements",
	  pushes_without_moving_what_was_once_there },
	{ "pushes nothing if an allocation fails", pushes_nothing_when_memory_is_short },
};

int main(void)
{
	return KTAP_RUN(tests);
}
