/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The number a task has in its own pid namespace, out of /proc.
 */
#ifndef FARGS_CTL_NSPID_H
#define FARGS_CTL_NSPID_H

#include <sys/types.h>

#include "model/meta.h"

/*
 * That of @tid, the innermost one of those that its status lists (NSpid); 0 if that is @tid
 * itself, as for all tasks of the initial namespace; FARGS_NSPID_GONE if the task is no more.
 */
pid_t fargs_nspid_get(pid_t tid);

/* Those of @meta->tasks, into @meta->nspids. -ENOMEM. */
int fargs_nspid_take_tasks(struct fargs_meta *meta);

#endif
