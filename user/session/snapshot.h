/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All tasks there are now, out of /proc.
 */
#ifndef FARGS_CTL_SNAPSHOT_H
#define FARGS_CTL_SNAPSHOT_H

#include <stddef.h>
#include <sys/types.h>

#include "model/meta.h"
#include "base/error.h"

/* Tasks that end meanwhile are left out. *@tasks is to be freed. -errno. */
int fargs_snapshot_tasks(struct fargs_task_start **tasks, size_t *nr, struct fargs_error_text *err);

/*
 * The threads of this process, as its own namespace of pids numbers them; the first one alone where
 * /proc is another one's. *@tids is to be freed. -ENOMEM.
 */
int fargs_snapshot_own(pid_t **tids, size_t *nr, struct fargs_error_text *err);

#endif
