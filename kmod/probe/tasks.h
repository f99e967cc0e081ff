/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks of a session: which are traced (a bit for each id, kept up to date
 * by the scheduler's tracepoints), and the TASK records that name them.
 */
#ifndef FARGS_TASKS_H
#define FARGS_TASKS_H

#include <linux/types.h>

struct fargs_capture;

/* Finds the tracepoints. At module init; 0, or -ENOENT if the kernel lacks one. */
int fargs_tasks_init(void);

/* A map with no task or all in it; kvfree() it after the probes are gone. */
unsigned long *fargs_tasks_create_map(bool has_all);
/* Adds or removes @tid, as the caller's pid namespace numbers it; -ESRCH. */
int fargs_tasks_assign(unsigned long *map, pid_t tid, bool is_in);

/* Process context. After unregister has returned no probe runs any more. */
int fargs_tasks_register(struct fargs_capture *capture);
void fargs_tasks_unregister(struct fargs_capture *capture);

#endif
