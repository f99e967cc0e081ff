/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Current names of tasks: the names at the start of the recording, updated by TASK records in the
 * order of time.
 */
#ifndef FARGS_MODEL_TASKS_H
#define FARGS_MODEL_TASKS_H

#include <stddef.h>
#include <sys/types.h>

#include "model/meta.h"
#include "uapi/fargs_record.h"

struct fargs_tasks;

struct fargs_task {
	pid_t tid;
	pid_t tgid;			/* -1: unknown */
	/* Thread id in the task's own pid namespace; 0: same as @tid; FARGS_NSPID_GONE: unknown. */
	pid_t ns_tid;
	char comm[FARGS_COMM_LEN + 1];
};

/* Contents of a TASK record. */
struct fargs_task_change {
	struct fargs_task task;		/* the task's ids and name after the change */
	pid_t new_tid;			/* tid of a forked task; 0: not a fork */
	pid_t old_tid;			/* tid that the thread had before an exec; 0: not an exec */
};

struct fargs_tasks *fargs_tasks_create(void);
void fargs_tasks_destroy(struct fargs_tasks *tasks);

/* Adds or updates a task. @comm ends at its first NUL or after @len bytes. Returns 0 or -ENOMEM. */
int fargs_tasks_set(struct fargs_tasks *tasks, pid_t tid, pid_t tgid, const char *comm,
		    size_t len);

/* Sets the tid that a task has in its own pid namespace. Does nothing if the task is unknown. */
void fargs_tasks_set_ns(struct fargs_tasks *tasks, pid_t tid, pid_t ns_tid);

/* Parses a TASK record that was checked. Returns 0, or -EIO if the kind of change is unknown. */
int fargs_tasks_read(const struct fargs_record *rec, struct fargs_task_change *change);
/*
 * Applies a TASK record that was checked. Returns 0; -EIO if the kind of change is unknown;
 * -ENOMEM.
 */
int fargs_tasks_record(struct fargs_tasks *tasks, const struct fargs_record *rec);

/* Returns the task with @tid, valid until the next change, or NULL if it is unknown. */
const struct fargs_task *fargs_tasks_get(const struct fargs_tasks *tasks, pid_t tid);

#endif
