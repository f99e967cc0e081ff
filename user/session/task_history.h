/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Task names over time, from TASK records, none of which may be missing, and from scans of /proc.
 * The number of names is limited: old names are dropped, so a task's earlier names may be unknown.
 * Names that are returned as known are never wrong.
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

/* Does task @tid still exist? */
typedef bool (*fargs_task_is_there_fn)(pid_t tid);

/*
 * Keeps about @max names (>= 2), or more if many tasks exist, since the last name of an existing
 * task is never dropped. Returns NULL if there is no memory.
 */
struct fargs_task_history *fargs_task_history_create(size_t max, fargs_task_is_there_fn is_there);
void fargs_task_history_destroy(struct fargs_task_history *h);

/*
 * Adds a TASK record. Records may be added in any order. @ns_tid: if the record is of a fork, the
 * new task's id in its own pid namespace, which was read at @asked_tsc. Returns 0 or -ENOMEM.
 */
int fargs_task_history_record(struct fargs_task_history *h, const struct fargs_task_change *change,
			      uint64_t tsc, pid_t ns_tid, uint64_t asked_tsc);
/*
 * Adds @task, which was read from /proc between @begin_tsc and @end_tsc. No TASK record since
 * @begin_tsc may be missing. Returns 0 or -ENOMEM.
 */
int fargs_task_history_found(struct fargs_task_history *h, const struct fargs_task *task,
			     uint64_t begin_tsc, uint64_t end_tsc);
/*
 * Drops all names, because TASK records up to @until_tsc were lost. Ignores records up to
 * @until_tsc that are added later.
 */
void fargs_task_history_forget(struct fargs_task_history *h, uint64_t until_tsc);

/*
 * Returns in *@names the names of tasks @tids since @from_tsc, sorted by id and time. The first
 * name of each task is that at @from_tsc, which may be unknown. The caller frees *@names. Returns 0
 * or -ENOMEM.
 */
int fargs_task_history_take(struct fargs_task_history *h, uint64_t from_tsc,
			    const struct fargs_tid_set *tids, struct fargs_task_name **names,
			    size_t *nr);

#endif
