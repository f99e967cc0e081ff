// SPDX-License-Identifier: GPL-2.0-only
#include "model/task_names.h"

#include <errno.h>
#include <stdlib.h>

int fargs_task_names_add(struct fargs_meta *meta, const struct fargs_task_name *name)
{
	size_t nr = meta->nr_names;
	struct fargs_task_name *all;

	/*
	 * The capacity is doubled when the count is a power of two, so it can be derived from the
	 * count.
	 */
	if (!(nr & (nr - 1))) {
		all = realloc(meta->names, (nr ? 2 * nr : 1) * sizeof(*all));
		if (!all)
			return -ENOMEM;
		meta->names = all;
	}
	meta->names[meta->nr_names++] = *name;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct fargs_task_name *x = a, *y = b;

	if (x->task.tid != y->task.tid)
		return x->task.tid < y->task.tid ? -1 : 1;
	return x->from_tsc < y->from_tsc ? -1 : x->from_tsc > y->from_tsc;
}

void fargs_task_names_sort(struct fargs_meta *meta)
{
	if (meta->nr_names)
		qsort(meta->names, meta->nr_names, sizeof(*meta->names), compare);
}

const struct fargs_task *fargs_task_names_find(const struct fargs_meta *meta, pid_t tid,
					       uint64_t tsc)
{
	const struct fargs_task_name key = { .from_tsc = tsc, .task.tid = tid };
	size_t low = 0, high = meta->nr_names, mid;

	/* Find the first name that sorts after @tid and @tsc. */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (compare(&meta->names[mid], &key) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || meta->names[low - 1].task.tid != tid || !meta->names[low - 1].is_known)
		return NULL;
	return &meta->names[low - 1].task;
}
