/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tasks were called, each name with the time from which it holds. A flight recorder
 * overwrites its TASK records, and keeps this instead.
 */
#ifndef FARGS_DECODE_TASK_NAMES_H
#define FARGS_DECODE_TASK_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/meta.h"
#include "model/tasks.h"

/* Holds until the next one of the same tid. */
struct fargs_task_name {
	uint64_t from_tsc;
	bool is_known;		/* false: from then on only task.tid is */
	struct fargs_task task;
};

/* Adds a copy of @name to @meta->names. -ENOMEM. */
int fargs_task_names_add(struct fargs_meta *meta, const struct fargs_task_name *name);
/* Brings @meta->names into the order that fargs_task_names_find needs. */
void fargs_task_names_sort(struct fargs_meta *meta);
/*
 * What @tid was called at @tsc; NULL: that is not known. Lives as long as @meta->names.
 * Names carry no CPU, so that the TSCs of two CPUs are compared as they are: where these
 * differ, a name may hold from that much sooner or later.
 */
const struct fargs_task *fargs_task_names_find(const struct fargs_meta *meta, pid_t tid,
					       uint64_t tsc);

#endif
