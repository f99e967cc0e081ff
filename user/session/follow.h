/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the tasks that --follow traces from the start. */
#ifndef FARGS_SESSION_FOLLOW_H
#define FARGS_SESSION_FOLLOW_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/list.h"

/*
 * Finds all current threads of @pids, and the threads @tids. Both are lists of ids and ranges,
 * "0-3,7", whose syntax the caller has checked. The caller frees *@found. Returns 0, or -errno with
 * the reason: -ESRCH if an id or range matches no task.
 */
int fargs_follow_find(const struct fargs_list *pids, const struct fargs_list *tids,
		      pid_t **found, size_t *nr, struct fargs_error_text *err);

#endif
