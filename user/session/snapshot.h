/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads all current tasks from /proc.
 */
#ifndef FARGS_SESSION_SNAPSHOT_H
#define FARGS_SESSION_SNAPSHOT_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "model/meta.h"

/*
 * Reads all tasks, except for those that exit during the call. The caller frees *@tasks. Returns 0
 * or -errno.
 */
int fargs_snapshot_tasks(struct fargs_task_start **tasks, size_t *nr, struct fargs_error_text *err);

/*
 * Returns the threads of this process, with ids of its own pid namespace; only the main thread if
 * /proc belongs to another namespace. The caller frees *@tids. Returns 0 or -ENOMEM.
 */
int fargs_snapshot_own(pid_t **tids, size_t *nr, struct fargs_error_text *err);

#endif
