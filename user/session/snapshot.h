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

/* Omits tasks that exit meanwhile. The caller frees *@tasks. -errno. */
int fargs_snapshot_tasks(struct fargs_task_start **tasks, size_t *nr, struct fargs_error_text *err);

/*
 * The threads of this process, with ids of its own pid namespace. If /proc belongs to another
 * namespace, only the main thread. The caller frees *@tids. -ENOMEM.
 */
int fargs_snapshot_own(pid_t **tids, size_t *nr, struct fargs_error_text *err);

#endif
