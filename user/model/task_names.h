/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of tasks, each with the time at which it becomes valid. A flight recorder stores these
 * names, because its TASK records are overwritten.
 */
#ifndef FARGS_MODEL_TASK_NAMES_H
#define FARGS_MODEL_TASK_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/meta.h"
#include "model/tasks.h"

/* A name of a task, valid until the next name with the same tid. */
struct fargs_task_name {
	uint64_t from_tsc;
	bool is_known;		/* false: the name is unknown, and only @task.tid is valid */
	struct fargs_task task;
};

/* Adds a copy of @name to @meta->names. Returns 0 or -ENOMEM. */
int fargs_task_names_add(struct fargs_meta *meta, const struct fargs_task_name *name);
/* Sorts @meta->names, as fargs_task_names_find() requires. */
void fargs_task_names_sort(struct fargs_meta *meta);
/*
 * Returns the name of @tid at @tsc, or NULL if it is unknown. The result is valid as long as
 * @meta->names. Names do not record a CPU, so TSCs of different CPUs are compared directly: if the
 * TSCs of two CPUs differ, a name may become valid too early or too late by their difference.
 */
const struct fargs_task *fargs_task_names_find(const struct fargs_meta *meta, pid_t tid,
					       uint64_t tsc);

#endif
