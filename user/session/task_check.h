/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks that the tasks of --pid and --tid exist. */
#ifndef FARGS_SESSION_TASK_CHECK_H
#define FARGS_SESSION_TASK_CHECK_H

#include "base/error.h"
#include "base/list.h"

/*
 * Checks that each number in @pids is a process and each number in @tids a thread, both of the
 * initial pid namespace. Ranges are not checked, because they can be meant for future tasks. Does
 * nothing if this process is in another pid namespace, where the numbers have another meaning. The
 * caller has checked the syntax of the lists, "0-3,7". Returns 0, or -ESRCH with the reason.
 */
int fargs_task_check(const struct fargs_list *pids, const struct fargs_list *tids,
		     struct fargs_error_text *err);

#endif
