// SPDX-License-Identifier: GPL-2.0-only
#include "model/tasks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/record.h"

/* Open addressing, at most half full. */
struct slot {
	struct fargs_task task;
	bool is_used;
};

struct fargs_tasks {
	struct slot *slots;
	size_t nr_slots;	/* a power of two */
	size_t nr_used;
};

struct fargs_tasks *fargs_tasks_create(void)
{
	struct fargs_tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return NULL;
	tasks->nr_slots = 1024;
	tasks->slots = calloc(tasks->nr_slots, sizeof(*tasks->slots));
	if (!tasks->slots) {
		free(tasks);
		return NULL;
	}
	return tasks;
}

void fargs_tasks_destroy(struct fargs_tasks *tasks)
{
	if (!tasks)
		return;
	free(tasks->slots);
	free(tasks);
}

static struct slot *find(const struct fargs_tasks *tasks, pid_t tid)
{
	size_t i = ((uint32_t)tid * 0x9e3779b1u) & (tasks->nr_slots - 1);

	while (tasks->slots[i].is_used && tasks->slots[i].task.tid != tid)
		i = (i + 1) & (tasks->nr_slots - 1);
	return &tasks->slots[i];
}

static int grow(struct fargs_tasks *tasks)
{
	struct fargs_tasks bigger = { .nr_slots = 2 * tasks->nr_slots, .nr_used = tasks->nr_used };
	size_t i;

	bigger.slots = calloc(bigger.nr_slots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (i = 0; i < tasks->nr_slots; i++)
		if (tasks->slots[i].is_used)
			*find(&bigger, tasks->slots[i].task.tid) = tasks->slots[i];
	free(tasks->slots);
	*tasks = bigger;
	return 0;
}

int fargs_tasks_set(struct fargs_tasks *tasks, pid_t tid, pid_t tgid, const char *comm, size_t len)
{
	struct slot *slot = find(tasks, tid);
	struct fargs_task *task;

	if (!slot->is_used) {
		if (2 * (tasks->nr_used + 1) > tasks->nr_slots) {
			if (grow(tasks))
				return -ENOMEM;
			slot = find(tasks, tid);
		}
		slot->is_used = true;
		tasks->nr_used++;
	}
	task = &slot->task;
	task->tid = tid;
	task->tgid = tgid;
	len = strnlen(comm, len < FARGS_COMM_LEN ? len : FARGS_COMM_LEN);
	memcpy(task->comm, comm, len);
	task->comm[len] = 0;
	return 0;
}

void fargs_tasks_set_ns(struct fargs_tasks *tasks, pid_t tid, pid_t ns_tid)
{
	struct slot *slot = find(tasks, tid);

	if (slot->is_used)
		slot->task.ns_tid = ns_tid;
}

int fargs_tasks_read(const struct fargs_record *rec, struct fargs_task_change *change)
{
	struct fargs_value tid, tgid, comm;
	size_t len;

	*change = (struct fargs_task_change){ };
	if (!fargs_record_find(rec, "tgid", FARGS_TYPE_S32, &tgid) ||
	    !fargs_record_find(rec, "comm", FARGS_TYPE_BYTES, &comm))
		return -EIO;
	if (fargs_record_find(rec, "fork", FARGS_TYPE_S32, &tid)) {
		change->new_tid = (pid_t)fargs_value_s64(&tid);
		change->task.tid = change->new_tid;
	} else if (fargs_record_find(rec, "rename", FARGS_TYPE_S32, &tid)) {
		change->task.tid = (pid_t)fargs_value_s64(&tid);
	} else if (fargs_record_find(rec, "exec", FARGS_TYPE_S32, &tid)) {
		/* The thread that execs becomes the leader: its old id is gone with the others. */
		change->old_tid = (pid_t)fargs_value_s64(&tid);
		change->task.tid = (pid_t)rec->tid;
	} else {
		return -EIO;
	}
	change->task.tgid = (pid_t)fargs_value_s64(&tgid);
	len = comm.bytes < FARGS_COMM_LEN ? comm.bytes : FARGS_COMM_LEN;
	memcpy(change->task.comm, comm.data, len);
	return 0;
}

int fargs_tasks_record(struct fargs_tasks *tasks, const struct fargs_record *rec)
{
	struct fargs_task_change change;
	const struct fargs_task *parent;
	int ret = fargs_tasks_read(rec, &change);

	/* perf does not tell it (ring/event_record.h). */
	if (!ret && change.new_tid && !change.task.comm[0]) {
		parent = fargs_tasks_get(tasks, (pid_t)rec->tid);
		if (parent)
			memcpy(change.task.comm, parent->comm, sizeof(parent->comm));
	}
	return ret ? ret : fargs_tasks_set(tasks, change.task.tid, change.task.tgid,
					   change.task.comm, sizeof(change.task.comm));
}

const struct fargs_task *fargs_tasks_get(const struct fargs_tasks *tasks, pid_t tid)
{
	const struct slot *slot = find(tasks, tid);

	return slot->is_used ? &slot->task : NULL;
}
