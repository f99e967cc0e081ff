// SPDX-License-Identifier: GPL-2.0-only
#include "base/arena.h"

#include <linux/overflow.h>

#include "base/pages.h"

struct fargs_arena *fargs_arena_create(size_t bytes)
{
	struct fargs_arena *arena = fargs_pages_alloc(size_add(sizeof(*arena), bytes));

	if (arena)
		arena->bytes = sizeof(*arena) + bytes;
	return arena;
}

void fargs_arena_destroy(struct fargs_arena *arena)
{
	if (arena)
		fargs_pages_free(arena, arena->bytes);
}
