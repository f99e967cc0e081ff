/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of a session that goes with the session: templates and what they come with. */
#ifndef FARGS_BATCH_H
#define FARGS_BATCH_H

#include <linux/list.h>
#include <linux/types.h>

struct fargs_batch {
	struct list_head node;	/* for whoever keeps it */
	size_t bytes;		/* of all of it */
	u64 data[];
};

/**
 * fargs_batch_create() - allocate memory for templates and symbols
 * @bytes: of data
 *
 * The data is zeroed, and charged to the memory cgroup of the task.
 *
 * Context: Process context. May sleep.
 * Return: The memory, or NULL.
 */
struct fargs_batch *fargs_batch_create(size_t bytes);

/**
 * fargs_batch_destroy() - free it
 * @batch: the memory; may be NULL
 *
 * Context: Process context. May sleep.
 */
void fargs_batch_destroy(struct fargs_batch *batch);

#endif
