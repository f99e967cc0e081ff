/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of a session that goes with the session: templates and what they come with. */
#ifndef FARGS_KMOD_BASE_ARENA_H
#define FARGS_KMOD_BASE_ARENA_H

#include <linux/list.h>
#include <linux/types.h>

struct fargs_arena {
	struct list_head node;	/* for whoever keeps it */
	size_t bytes;		/* of all of it */
	u64 data[];
};

/**
 * fargs_arena_create() - allocate memory for templates and symbols
 * @bytes: of data
 *
 * The data is zeroed, and charged to the memory cgroup of the task.
 *
 * Context: Process context. May sleep.
 * Return: The memory, or NULL.
 */
struct fargs_arena *fargs_arena_create(size_t bytes);

/**
 * fargs_arena_destroy() - free it
 * @arena: the memory; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_arena_destroy(struct fargs_arena *arena);

#endif
