/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks that --follow begins with.
 */
#ifndef FARGS_CTL_FOLLOW_H
#define FARGS_CTL_FOLLOW_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/list.h"

/*
 * All threads of @pids, and the threads @tids, as there are now: numbers and ranges,
 * "0-3,7", that have been checked. free() *@found. -errno with the reason: -ESRCH if one
 * of them stands for nobody.
 */
int fargs_follow_find(const struct fargs_list *pids, const struct fargs_list *tids,
		      pid_t **found, size_t *nr, struct fargs_error_text *err);

#endif
