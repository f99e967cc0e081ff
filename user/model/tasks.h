/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of tasks over time: what they were at the start, then changed by the
 * TASK records in the order of their time.
 */
#ifndef FARGS_DECODE_TASKS_H
#define FARGS_DECODE_TASKS_H

#include <stddef.h>
#include <sys/types.h>

#include "model/meta.h"
#include "uapi/fargs_record.h"

struct fargs_tasks;

struct fargs_task {
	pid_t tid;
	pid_t tgid;			/* -1: not known */
	pid_t ns_tid;			/* in its own pid namespace; 0: the same; or _NSPID_GONE */
	char comm[FARGS_COMM_LEN + 1];
};

/* What a TASK record says. */
struct fargs_task_change {
	struct fargs_task task;		/* as it is from then on */
	pid_t new_tid;			/* it was forked; 0: it was not */
	pid_t old_tid;			/* its number before it exec'd; 0: it did not */
};

struct fargs_tasks *fargs_tasks_create(void);
void fargs_tasks_destroy(struct fargs_tasks *tasks);

/* Sets a task, new or known. @comm ends at its first NUL or after @len bytes. 0 or -ENOMEM. */
int fargs_tasks_set(struct fargs_tasks *tasks, pid_t tid, pid_t tgid, const char *comm,
		    size_t len);

/* In its own pid namespace a task that is known has the number @ns_tid. */
void fargs_tasks_set_ns(struct fargs_tasks *tasks, pid_t tid, pid_t ns_tid);

/* Reads a TASK record that was checked. 0; -EIO if it says nothing known. */
int fargs_tasks_read(const struct fargs_record *rec, struct fargs_task_change *change);
/* Applies a TASK record that was checked. 0; -EIO if it says nothing known; -ENOMEM. */
int fargs_tasks_record(struct fargs_tasks *tasks, const struct fargs_record *rec);

/* NULL: never heard of. Lives until the next change. */
const struct fargs_task *fargs_tasks_get(const struct fargs_tasks *tasks, pid_t tid);

#endif
