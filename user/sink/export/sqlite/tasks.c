// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/sqlite/tasks.h"

#include <string.h>

void fargs_db_tasks_deinit(struct fargs_db_tasks *t)
{
	fargs_task_set_deinit(&t->set);
	fargs_intern_deinit(&t->threads);
	fargs_intern_deinit(&t->comms);
	fargs_intern_deinit(&t->comm_threads);
}

int fargs_db_tasks_prepare(struct fargs_db_tasks *t)
{
	int ret = fargs_db_prepare(t->db, "INSERT INTO tasks VALUES (?,?,?,?)", &t->task);

	if (!ret)
		ret = fargs_db_prepare(t->db, "INSERT INTO threads VALUES (?,?,?)", &t->thread);
	if (!ret)
		ret = fargs_db_prepare(t->db, "INSERT INTO comms VALUES (?,?)", &t->comm);
	return ret ? ret : fargs_db_prepare(t->db, "INSERT INTO comm_threads VALUES (?,?,?,?)",
					    &t->comm_thread);
}

void fargs_db_tasks_finalize(struct fargs_db_tasks *t)
{
	fargs_db_finalize(t->db, t->task);
	fargs_db_finalize(t->db, t->thread);
	fargs_db_finalize(t->db, t->comm);
	fargs_db_finalize(t->db, t->comm_thread);
	t->task = NULL;
	t->thread = NULL;
	t->comm = NULL;
	t->comm_thread = NULL;
}

static void bind_time(struct fargs_db_tasks *t, sqlite3_stmt *stmt, int i,
		      const struct fargs_event *ev)
{
	if (ev->has_no_time)
		t->db->sql.bind_null(stmt, i);
	else
		t->db->sql.bind_int64(stmt, i, ev->time_ns);
}

static void bind_pid(struct fargs_db_tasks *t, sqlite3_stmt *stmt, int i,
		     const struct fargs_event *ev)
{
	if (ev->tgid >= 0)
		t->db->sql.bind_int64(stmt, i, ev->tgid);
	else
		t->db->sql.bind_null(stmt, i);
}

static int add_task(struct fargs_db_tasks *t, const struct fargs_event *ev)
{
	int ret = fargs_task_set_add(&t->set, ev);

	if (ret != 1)
		return ret;
	t->db->sql.bind_int64(t->task, 1, ev->tid);
	bind_pid(t, t->task, 2, ev);
	fargs_db_bind_text(t->db, t->task, 3, ev->comm);
	t->db->sql.bind_int64(t->task, 4, ev->time_ns);
	return fargs_db_step(t->db, t->task);
}

/* Sets *@id to the id of the row with @key. Returns 1 if the row must be added; 0; or -ENOMEM. */
static int find_row(struct fargs_intern *rows, const void *key, size_t bytes, int64_t *id)
{
	uint32_t number, nr = rows->nr;
	int ret = fargs_intern_add(rows, key, bytes, &number);

	*id = ret ? 0 : (int64_t)number + 1;
	return ret ? ret : rows->nr != nr;
}

static int find_thread(struct fargs_db_tasks *t, const struct fargs_event *ev, int64_t *id)
{
	const pid_t key[2] = { ev->tgid, ev->tid };
	int ret = find_row(&t->threads, key, sizeof(key), id);

	if (ret <= 0)
		return ret;
	t->db->sql.bind_int64(t->thread, 1, *id);
	bind_pid(t, t->thread, 2, ev);
	t->db->sql.bind_int64(t->thread, 3, ev->tid);
	return fargs_db_step(t->db, t->thread);
}

static int find_comm(struct fargs_db_tasks *t, const struct fargs_event *ev, int64_t *id)
{
	int ret = find_row(&t->comms, ev->comm, strlen(ev->comm), id);

	if (ret <= 0)
		return ret;
	t->db->sql.bind_int64(t->comm, 1, *id);
	fargs_db_bind_text(t->db, t->comm, 2, ev->comm);
	return fargs_db_step(t->db, t->comm);
}

static int add_comm_thread(struct fargs_db_tasks *t, const struct fargs_event *ev, int64_t thread,
			   int64_t comm)
{
	const int64_t key[2] = { comm, thread };
	int64_t id;
	int ret = find_row(&t->comm_threads, (const char *)key, sizeof(key), &id);

	if (ret <= 0)
		return ret;
	t->db->sql.bind_int64(t->comm_thread, 1, id);
	t->db->sql.bind_int64(t->comm_thread, 2, comm);
	t->db->sql.bind_int64(t->comm_thread, 3, thread);
	bind_time(t, t->comm_thread, 4, ev);
	return fargs_db_step(t->db, t->comm_thread);
}

int fargs_db_tasks_add(struct fargs_db_tasks *t, const struct fargs_event *ev, int64_t *thread,
		       int64_t *comm)
{
	int ret = add_task(t, ev);

	if (!ret)
		ret = find_thread(t, ev, thread);
	if (!ret)
		ret = find_comm(t, ev, comm);
	return ret ? ret : add_comm_thread(t, ev, *thread, *comm);
}
