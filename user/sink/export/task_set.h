/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The set of tasks that an export has described, with the name of each.
 */
#ifndef FARGS_SINK_EXPORT_TASK_SET_H
#define FARGS_SINK_EXPORT_TASK_SET_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "model/event.h"

struct fargs_task_set_entry {
	int64_t id;		/* as returned by fargs_task_id() */
	pid_t tgid;
	char comm[FARGS_COMM_LEN + 1];	/* name at the last event of the task */
};

/* Initialize with zeroes. */
struct fargs_task_set {
	struct fargs_task_set_entry *entries;
	size_t nr;
	struct fargs_hash by_id;
};

void fargs_task_set_deinit(struct fargs_task_set *set);
/* Returns 1 if the task of @ev is new or has changed its name, else 0; or -ENOMEM. */
int fargs_task_set_add(struct fargs_task_set *set, const struct fargs_event *ev);

/*
 * Returns an id of the event's task. Unlike pids, which are 0 for all idle tasks, ids are unique.
 */
static inline int64_t fargs_task_id(const struct fargs_event *ev)
{
	return ev->tid ? ev->tid : -1 - (int64_t)ev->cpu;
}

#endif
