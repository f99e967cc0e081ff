/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Growing arrays: a pointer and an element count, both kept by the caller, who frees the array with
 * free(). Start with NULL and 0. Pointers to elements are valid until the next element is added.
 */
#ifndef FARGS_BASE_ARRAY_H
#define FARGS_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Makes room for one more element in @array, which has @nr elements of @bytes each. Capacities are
 * powers of two: when @nr reaches the capacity, the array is reallocated to twice its size. Returns
 * NULL if out of memory; @array is then unchanged. Only this function may grow the array, because
 * the capacity is derived from @nr.
 */
static inline void *fargs_grow(void *array, size_t nr, size_t bytes)
{
	size_t room = nr ? 2 * nr : 1;

	if (array && nr & (nr - 1))
		return array;
	return room > SIZE_MAX / bytes ? NULL : realloc(array, room * bytes);
}

/*
 * Reallocates @array, of elements of @bytes each, to twice its capacity *@room and updates *@room.
 * Returns NULL if out of memory; @array and *@room are then unchanged.
 */
static inline void *fargs_grow_room(void *array, size_t *room, size_t bytes)
{
	size_t larger = *room ? 2 * *room : 16;

	if (larger > SIZE_MAX / bytes)
		return NULL;
	array = realloc(array, larger * bytes);
	if (array)
		*room = larger;
	return array;
}

/*
 * Appends an uninitialised element to @array of @nr elements, increments @nr, and returns a pointer
 * to the element; returns NULL if out of memory, with nothing changed. The arguments are evaluated
 * more than once. The caller may remove elements from the end by lowering @nr. An array that often
 * shrinks and grows, such as a stack, needs fargs_array_push(): this macro reallocates the array
 * whenever @nr is a power of two.
 */
#define fargs_array_add(array, nr)						\
	({									\
		__typeof__(array) array_ = fargs_grow(array, nr, sizeof(*(array)));	\
										\
		if (array_)							\
			(array) = array_;					\
		array_ ? &array_[(nr)++] : NULL;				\
	})

/*
 * Like fargs_array_add(), for a stack: @room, a size_t that starts as 0, holds the allocated
 * capacity. This avoids a realloc() each time the stack grows past a power of two.
 */
#define fargs_array_push(array, nr, room)					\
	({									\
		__typeof__(array) array_ = (array);				\
										\
		if ((nr) == (room))						\
			array_ = fargs_grow_room(array_, &(room), sizeof(*array_));	\
		if (array_)							\
			(array) = array_;					\
		array_ ? &array_[(nr)++] : NULL;				\
	})

#endif
