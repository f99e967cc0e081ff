/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory that is freed with its session: templates, their programs and constants, symbols. */
#ifndef FARGS_KMOD_BASE_ARENA_H
#define FARGS_KMOD_BASE_ARENA_H

#include <linux/list.h>
#include <linux/types.h>

struct fargs_arena {
	struct list_head node;	/* used by the owner of the arena */
	size_t bytes;		/* size of this struct including data */
	u64 data[];
};

/**
 * fargs_arena_create() - allocate memory for templates and symbols
 * @bytes: size of the data
 *
 * The data is zeroed, and charged to the memory cgroup of the task.
 *
 * Context: Process context. May sleep.
 * Return: The arena, or NULL if out of memory.
 */
struct fargs_arena *fargs_arena_create(size_t bytes);

/**
 * fargs_arena_destroy() - free an arena
 * @arena: the arena; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_arena_destroy(struct fargs_arena *arena);

#endif
