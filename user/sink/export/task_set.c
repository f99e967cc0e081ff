// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/task_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_MIN	64

struct fargs_task_set_entry {
	int64_t id;		/* fargs_task_id */
	pid_t tgid;
	char comm[FARGS_COMM_LEN + 1];
	uint8_t is_used;
};

void fargs_task_set_deinit(struct fargs_task_set *set)
{
	free(set->entries);
	*set = (struct fargs_task_set){ };
}

static struct fargs_task_set_entry *find(const struct fargs_task_set *set, int64_t id)
{
	size_t i = (uint64_t)id * 0x9e3779b97f4a7c15ull >> 32;

	for (i %= set->room; set->entries[i].is_used; i = (i + 1) % set->room)
		if (set->entries[i].id == id)
			break;
	return &set->entries[i];
}

static int grow(struct fargs_task_set *set)
{
	struct fargs_task_set larger = { .room = set->room ? 2 * set->room : ROOM_MIN };
	size_t i;

	larger.entries = calloc(larger.room, sizeof(*larger.entries));
	if (!larger.entries)
		return -ENOMEM;
	for (i = 0; i < set->room; i++)
		if (set->entries[i].is_used)
			*find(&larger, set->entries[i].id) = set->entries[i];
	larger.nr = set->nr;
	free(set->entries);
	*set = larger;
	return 0;
}

int fargs_task_set_add(struct fargs_task_set *set, const struct fargs_event *ev)
{
	struct fargs_task_set_entry *e;

	if (2 * set->nr >= set->room && grow(set))
		return -ENOMEM;
	e = find(set, fargs_task_id(ev));
	if (e->is_used && e->tgid == ev->tgid && !strcmp(e->comm, ev->comm))
		return 0;
	set->nr += !e->is_used;
	e->is_used = 1;
	e->id = fargs_task_id(ev);
	e->tgid = ev->tgid;
	memcpy(e->comm, ev->comm, sizeof(e->comm));
	return 1;
}
