/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All tasks there are now, out of /proc.
 */
#ifndef FARGS_CTL_SNAPSHOT_H
#define FARGS_CTL_SNAPSHOT_H

#include <stddef.h>

#include "decode/meta.h"
#include "util/error.h"

/* Tasks that end meanwhile are left out. *@tasks is to be freed. -errno. */
int fargs_snapshot_tasks(struct fargs_task_start **tasks, size_t *nr, struct fargs_error_text *err);

#endif
