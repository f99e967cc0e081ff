/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a task's id in its own pid namespace from /proc.
 */
#ifndef FARGS_SESSION_NSPID_H
#define FARGS_SESSION_NSPID_H

#include <stdbool.h>
#include <sys/types.h>

#include "model/meta.h"

/*
 * Returns the innermost id in the line NSpid of /proc/TID/status. Returns 0 if the task is in the
 * initial pid namespace, where its id is @tid; FARGS_NSPID_GONE if the task has exited.
 */
pid_t fargs_nspid_get(pid_t tid);

/* Is this process in the initial pid namespace? */
bool fargs_nspid_is_initial(void);

/* Adds the ids of @meta->tasks in their pid namespaces to @meta->nspids. Returns 0 or -ENOMEM. */
int fargs_nspid_take_tasks(struct fargs_meta *meta);

#endif
