// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/task_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void fargs_task_set_deinit(struct fargs_task_set *set)
{
	free(set->entries);
	fargs_hash_deinit(&set->by_id);
	*set = (struct fargs_task_set){ };
}

static struct fargs_task_set_entry *find(const struct fargs_task_set *set, int64_t id)
{
	uint32_t at, i;

	fargs_hash_for_each(i, at, &set->by_id, fargs_hash_u64(id))
		if (set->entries[i].id == id)
			return &set->entries[i];
	return NULL;
}

static struct fargs_task_set_entry *add(struct fargs_task_set *set, int64_t id)
{
	struct fargs_task_set_entry *e;

	if (fargs_hash_reserve(&set->by_id, set->nr + 1))
		return NULL;
	e = fargs_array_add(set->entries, set->nr);
	if (!e)
		return NULL;
	e->id = id;
	fargs_hash_add(&set->by_id, fargs_hash_u64(id), set->nr - 1);
	return e;
}

int fargs_task_set_add(struct fargs_task_set *set, const struct fargs_event *ev)
{
	struct fargs_task_set_entry *e = find(set, fargs_task_id(ev));

	if (e && e->tgid == ev->tgid && !strcmp(e->comm, ev->comm))
		return 0;
	if (!e)
		e = add(set, fargs_task_id(ev));
	if (!e)
		return -ENOMEM;
	e->tgid = ev->tgid;
	memcpy(e->comm, ev->comm, sizeof(e->comm));
	return 1;
}
