/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a task's id in its own pid namespace from /proc.
 */
#ifndef FARGS_SESSION_NSPID_H
#define FARGS_SESSION_NSPID_H

#include <sys/types.h>

#include "model/meta.h"

/*
 * Returns the innermost id in the NSpid line of @tid's status. 0: the same as @tid, as for all
 * tasks of the initial namespace. FARGS_NSPID_GONE: the task has exited.
 */
pid_t fargs_nspid_get(pid_t tid);

/* Adds the ids of @meta->tasks to @meta->nspids. -ENOMEM. */
int fargs_nspid_take_tasks(struct fargs_meta *meta);

#endif
