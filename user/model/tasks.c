// SPDX-License-Identifier: GPL-2.0-only
#include "model/tasks.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "model/record.h"

struct fargs_tasks {
	struct fargs_task *all;
	size_t nr;
	struct fargs_hash by_tid;
};

struct fargs_tasks *fargs_tasks_create(void)
{
	return calloc(1, sizeof(struct fargs_tasks));
}

void fargs_tasks_destroy(struct fargs_tasks *tasks)
{
	if (!tasks)
		return;
	fargs_hash_deinit(&tasks->by_tid);
	free(tasks->all);
	free(tasks);
}

static struct fargs_task *find(const struct fargs_tasks *tasks, pid_t tid)
{
	uint32_t at, i;

	fargs_hash_for_each(i, at, &tasks->by_tid, fargs_hash_u64((uint32_t)tid))
		if (tasks->all[i].tid == tid)
			return &tasks->all[i];
	return NULL;
}

static struct fargs_task *add(struct fargs_tasks *tasks, pid_t tid)
{
	struct fargs_task *task;

	if (fargs_hash_reserve(&tasks->by_tid, tasks->nr + 1))
		return NULL;
	task = fargs_array_add(tasks->all, tasks->nr);
	if (!task)
		return NULL;
	*task = (struct fargs_task){ .tid = tid };
	fargs_hash_add(&tasks->by_tid, fargs_hash_u64((uint32_t)tid), tasks->nr - 1);
	return task;
}

int fargs_tasks_set(struct fargs_tasks *tasks, pid_t tid, pid_t tgid, const char *comm, size_t len)
{
	struct fargs_task *task = find(tasks, tid);

	if (!task)
		task = add(tasks, tid);
	if (!task)
		return -ENOMEM;
	task->tgid = tgid;
	len = strnlen(comm, len < FARGS_COMM_LEN ? len : FARGS_COMM_LEN);
	memcpy(task->comm, comm, len);
	task->comm[len] = 0;
	return 0;
}

void fargs_tasks_set_ns(struct fargs_tasks *tasks, pid_t tid, pid_t ns_tid)
{
	struct fargs_task *task = find(tasks, tid);

	if (task)
		task->ns_tid = ns_tid;
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
		/*
		 * A thread that calls exec gets the tid of its thread group leader. Its old tid is
		 * released, as are the tids of the other threads.
		 */
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

	/*
	 * The name is empty in records of forks from perf (model/event_record.h): copy the
	 * parent's.
	 */
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
	return find(tasks, tid);
}
