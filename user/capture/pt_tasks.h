/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Determines the tasks of a request whose execution is recorded with Intel PT.
 */
#ifndef FARGS_CAPTURE_PT_TASKS_H
#define FARGS_CAPTURE_PT_TASKS_H

#include <sys/types.h>

#include "base/error.h"
#include "capture/request.h"
#include "source/pt/capture/task_events.h"

/* Initialize with zeroes. */
struct fargs_pt_task_choice {
	struct fargs_pt_tasks tasks;	/* none: all */
	pid_t *ids;			/* those of @tasks */
};

/*
 * Fills @choice, if the request is for some tasks, or if the user may not record all of them. These
 * are the processes and threads of the request; or else its command, whose pid is @command; or, if
 * it also records other tasks, its cgroup, or all tasks of its users. Returns 0 or -errno with
 * @err; in either case the caller must call fargs_pt_tasks_deinit().
 */
int fargs_pt_tasks_choose(struct fargs_pt_task_choice *choice,
			  const struct fargs_capture_request *r, pid_t command,
			  struct fargs_error_text *err);
void fargs_pt_tasks_deinit(struct fargs_pt_task_choice *choice);

#endif
