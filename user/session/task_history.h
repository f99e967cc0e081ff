/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Task names over time, from TASK records, which must be complete, and from scans of /proc.
 * Bounded: keeps the newest names, for each task all since some time. Earlier names are unknown; no
 * entry is ever wrong.
 */
#ifndef FARGS_SESSION_TASK_HISTORY_H
#define FARGS_SESSION_TASK_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/task_names.h"
#include "session/tid_set.h"

struct fargs_task_history;

/* Does task @tid exist? */
typedef bool (*fargs_task_is_there_fn)(pid_t tid);

/* Keeps about @max names (>= 2); more only if over half as many tasks exist. NULL: no memory. */
struct fargs_task_history *fargs_task_history_create(size_t max, fargs_task_is_there_fn is_there);
void fargs_task_history_destroy(struct fargs_task_history *h);

/*
 * Adds a TASK record; records may be added in any order. @ns_tid: for a fork, the new task's id in
 * its own pid namespace, read at @asked_tsc. Returns 0 or -ENOMEM.
 */
int fargs_task_history_record(struct fargs_task_history *h, const struct fargs_task_change *change,
			      uint64_t tsc, pid_t ns_tid, uint64_t asked_tsc);
/*
 * Adds @task, read from /proc between @begin_tsc and @end_tsc. All TASK records since @begin_tsc
 * must be complete. Returns 0 or -ENOMEM.
 */
int fargs_task_history_found(struct fargs_task_history *h, const struct fargs_task *task,
			     uint64_t begin_tsc, uint64_t end_tsc);
/* Drops all names up to @until_tsc, because records up to then were lost. */
void fargs_task_history_forget(struct fargs_task_history *h, uint64_t until_tsc);

/*
 * Returns the names of tasks @tids since @from_tsc, sorted by id and time. Each task begins with
 * its name at @from_tsc, which may be unknown. The caller frees *@names. Returns 0 or -ENOMEM.
 */
int fargs_task_history_take(struct fargs_task_history *h, uint64_t from_tsc,
			    const struct fargs_tid_set *tids, struct fargs_task_name **names,
			    size_t *nr);

#endif
