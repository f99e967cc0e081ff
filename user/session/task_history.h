/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tasks were called from when on, out of TASK records, of which none is missing, and of
 * what was found in /proc meanwhile. Holds the newest of it, as much as fits: of each task
 * all from some time on. What was before is not known; nothing in here is ever out of date.
 */
#ifndef FARGS_CTL_TASK_HISTORY_H
#define FARGS_CTL_TASK_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "session/tid_set.h"
#include "model/task_names.h"

struct fargs_task_history;

/* Is there a task @tid now? */
typedef bool (*fargs_task_is_there_fn)(pid_t tid);

/*
 * For about @max names (at least 2); more only if there are more tasks than half of that.
 * NULL: no memory.
 */
struct fargs_task_history *fargs_task_history_create(size_t max, fargs_task_is_there_fn is_there);
void fargs_task_history_destroy(struct fargs_task_history *h);

/*
 * Takes a TASK record, in any order. @ns_tid: of a fork, the new task's number in its own
 * namespace, as it was found at @asked_tsc. 0 or -ENOMEM.
 */
int fargs_task_history_record(struct fargs_task_history *h, const struct fargs_task_change *change,
			      uint64_t tsc, pid_t ns_tid, uint64_t asked_tsc);
/*
 * @task was found in /proc between @begin_tsc and @end_tsc. Of what was recorded since
 * @begin_tsc nothing may be missing. 0 or -ENOMEM.
 */
int fargs_task_history_found(struct fargs_task_history *h, const struct fargs_task *task,
			     uint64_t begin_tsc, uint64_t end_tsc);
/* Some records up to @until_tsc are missing: nothing is known up to then. */
void fargs_task_history_forget(struct fargs_task_history *h, uint64_t until_tsc);

/*
 * What the tasks @tids were called from @from_tsc on, in the order of their ids and of time;
 * each begins with what it was called at @from_tsc, be it that this is not known. *@names is
 * to be freed. 0 or -ENOMEM.
 */
int fargs_task_history_take(struct fargs_task_history *h, uint64_t from_tsc,
			    const struct fargs_tid_set *tids, struct fargs_task_name **names,
			    size_t *nr);

#endif
