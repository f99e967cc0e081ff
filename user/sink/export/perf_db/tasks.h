/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables "threads", "comms" and "comm_threads". Memory use: the ids and names of all tasks.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_TASKS_H
#define FARGS_SINK_EXPORT_PERF_DB_TASKS_H

#include "base/intern.h"
#include "model/event.h"
#include "sink/export/perf_db/writer.h"

struct fargs_pdb_tasks {
	struct fargs_pdb_writer *w;
	/* Keys of the tables' rows: row @n has id @n + 1. */
	struct fargs_intern threads, comms, comm_threads;
};

/* A task, by its ids. */
struct fargs_pdb_task {
	int64_t thread, comm;
};

/* Initialize with the writer and zeroes. */
void fargs_pdb_tasks_deinit(struct fargs_pdb_tasks *t);
/* Finds or adds a task, which has a name. Returns 0 or -errno. */
int fargs_pdb_tasks_find(struct fargs_pdb_tasks *t, const struct fargs_event_task *task,
			 struct fargs_pdb_task *to);
/* Finds or adds the task of @ev. Returns 0 or -errno. */
int fargs_pdb_tasks_event(struct fargs_pdb_tasks *t, const struct fargs_event *ev,
			  struct fargs_pdb_task *to);

#endif
