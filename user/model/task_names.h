/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of tasks, each with the time from which on it is valid. A flight recorder stores these,
 * because its TASK records are overwritten.
 */
#ifndef FARGS_MODEL_TASK_NAMES_H
#define FARGS_MODEL_TASK_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/meta.h"
#include "model/tasks.h"

/* A name of a task, valid until the next one of the same tid. */
struct fargs_task_name {
	uint64_t from_tsc;
	bool is_known;		/* false: only task.tid is known from then on */
	struct fargs_task task;
};

/* Adds a copy of @name to @meta->names. -ENOMEM. */
int fargs_task_names_add(struct fargs_meta *meta, const struct fargs_task_name *name);
/* Sorts @meta->names as fargs_task_names_find needs it. */
void fargs_task_names_sort(struct fargs_meta *meta);
/*
 * Name of @tid at @tsc; NULL: unknown. Lives as long as @meta->names. Names have no CPU, so TSCs
 * of different CPUs are compared as they are: if these differ, a name may become valid by as much
 * too early or too late.
 */
const struct fargs_task *fargs_task_names_find(const struct fargs_meta *meta, pid_t tid,
					       uint64_t tsc);

#endif
