/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays that grow by one at a time, and know of their room by their number alone.
 */
#ifndef FARGS_UTIL_GROW_H
#define FARGS_UTIL_GROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * @array of @nr elements of @bytes each, with room for one more: itself or, at each power of
 * two, moved to twice the room. NULL: no memory, and @array is still there.
 */
static inline void *fargs_grow(void *array, size_t nr, size_t bytes)
{
	size_t room = nr ? 2 * nr : 1;

	if (array && nr & (nr - 1))
		return array;
	return room > SIZE_MAX / bytes ? NULL : realloc(array, room * bytes);
}

#endif
