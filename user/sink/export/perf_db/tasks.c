// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/tasks.h"

#include <errno.h>
#include <string.h>

#define HOST	1	/* the id of the only machine */

void fargs_pdb_tasks_deinit(struct fargs_pdb_tasks *t)
{
	fargs_intern_deinit(&t->threads);
	fargs_intern_deinit(&t->comms);
	fargs_intern_deinit(&t->comm_threads);
}

/* Sets *@id to the id of the row with @key. Returns 1 if the row must be added; 0; or -ENOMEM. */
static int find_row(struct fargs_intern *rows, const void *key, size_t bytes, int64_t *id)
{
	uint32_t number, nr = rows->nr;
	int ret = fargs_intern_add(rows, key, bytes, &number);

	*id = ret ? 0 : (int64_t)number + 1;
	return ret ? ret : rows->nr != nr;
}

/* The thread of the whole process is added before its others, which refer to it. */
static int find_thread(struct fargs_pdb_tasks *t, pid_t pid, pid_t tid, int64_t *id)
{
	const pid_t key[2] = { pid, tid };
	int64_t leader = 0;
	int ret = 0;

	if (pid >= 0 && pid != tid)
		ret = find_thread(t, pid, pid, &leader);
	if (!ret)
		ret = find_row(&t->threads, key, sizeof(key), id);
	if (ret <= 0)
		return ret;
	return fargs_pdb_row(t->w, FARGS_PDB_THREADS, (struct fargs_pdb_value []){
		FARGS_PDB_N(*id), FARGS_PDB_N(HOST), FARGS_PDB_N(pid == tid ? *id : leader),
		FARGS_PDB_N(pid), FARGS_PDB_N(tid),
	});
}

/* A name belongs to the process, whose threads share the row. */
static int find_comm(struct fargs_pdb_tasks *t, const struct fargs_event_task *task, int64_t *id)
{
	struct {
		uint64_t ns;
		pid_t pid;
		char comm[FARGS_COMM_LEN + 1];
	} key;
	int64_t leader;
	int ret;

	memset(&key, 0, sizeof(key));
	/* Executing a program of the same name is another row. */
	key.ns = task->is_named_by_exec ? task->named_ns : 0;
	key.pid = task->tgid >= 0 ? task->tgid : task->tid;
	memcpy(key.comm, task->comm, strnlen(task->comm, FARGS_COMM_LEN));
	ret = find_thread(t, task->tgid, key.pid, &leader);
	if (!ret)
		ret = find_row(&t->comms, &key, sizeof(key), id);
	if (ret <= 0)
		return ret;
	return fargs_pdb_row(t->w, FARGS_PDB_COMMS, (struct fargs_pdb_value []){
		FARGS_PDB_N(*id), FARGS_PDB_T(key.comm), FARGS_PDB_N(leader),
		FARGS_PDB_N(task->named_ns), FARGS_PDB_N(task->is_named_by_exec),
	});
}

int fargs_pdb_tasks_find(struct fargs_pdb_tasks *t, const struct fargs_event_task *task,
			 struct fargs_pdb_task *to)
{
	int64_t key[2], id;
	int ret = find_thread(t, task->tgid, task->tid, &to->thread);

	if (!ret)
		ret = find_comm(t, task, &to->comm);
	if (ret)
		return ret;
	key[0] = to->comm;
	key[1] = to->thread;
	ret = find_row(&t->comm_threads, key, sizeof(key), &id);
	if (ret <= 0)
		return ret;
	return fargs_pdb_row(t->w, FARGS_PDB_COMM_THREADS, (struct fargs_pdb_value []){
		FARGS_PDB_N(id), FARGS_PDB_N(to->comm), FARGS_PDB_N(to->thread),
	});
}

int fargs_pdb_tasks_event(struct fargs_pdb_tasks *t, const struct fargs_event *ev,
			  struct fargs_pdb_task *to)
{
	const struct fargs_event_task task = {
		.tid = ev->tid, .tgid = ev->tgid, .comm = ev->comm, .named_ns = ev->named_ns,
		.is_named_by_exec = ev->is_named_by_exec,
	};

	return fargs_pdb_tasks_find(t, &task, to);
}
