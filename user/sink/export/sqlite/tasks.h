/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables "tasks", "threads", "comms" and "comm_threads" of a database. Memory use: the ids and
 * names of all tasks.
 */
#ifndef FARGS_SINK_EXPORT_SQLITE_TASKS_H
#define FARGS_SINK_EXPORT_SQLITE_TASKS_H

#include "base/intern.h"
#include "model/event.h"
#include "sink/export/sqlite/db.h"
#include "sink/export/task_set.h"

struct fargs_db_tasks {
	struct fargs_db *db;
	sqlite3_stmt *task, *thread, *comm, *comm_thread;
	struct fargs_task_set set;
	/* Keys of the tables' rows: row @n has id @n + 1. */
	struct fargs_intern threads, comms, comm_threads;
};

/* Initialize with the database and zeroes. */
void fargs_db_tasks_deinit(struct fargs_db_tasks *t);
/* Prepares the statements, after the tables were created. Returns 0 or -errno. */
int fargs_db_tasks_prepare(struct fargs_db_tasks *t);
/* Finalizes the statements. */
void fargs_db_tasks_finalize(struct fargs_db_tasks *t);

/*
 * Finds or adds the task of @ev. Sets the ids of its thread and of its name. Returns 0 or -errno.
 */
int fargs_db_tasks_add(struct fargs_db_tasks *t, const struct fargs_event *ev, int64_t *thread,
		       int64_t *comm);

#endif
