/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks of a session: which are traced (a bit for each id, kept up to date
 * by the scheduler's tracepoints), and the TASK records that name them.
 */
#ifndef FARGS_KMOD_PROBE_TASKS_H
#define FARGS_KMOD_PROBE_TASKS_H

#include <linux/types.h>

struct fargs_capture;

/**
 * fargs_tasks_init() - find the tracepoints that tell of tasks
 *
 * Context: Process context, at module init.
 * Return: 0, or -ENOENT if the kernel lacks one.
 */
int fargs_tasks_init(void);

/**
 * fargs_tasks_create_map() - make a map with a bit for each task id
 * @has_all: all are set, else none
 *
 * Context: Process context. May sleep.
 * Return: The map, to be freed by kvfree() after the probes are gone; or NULL.
 */
unsigned long *fargs_tasks_create_map(bool has_all);

/**
 * fargs_tasks_assign() - change a task's bit
 * @map: from fargs_tasks_create_map()
 * @tid: its id in the caller's pid namespace
 * @is_in: set it, else clear it
 *
 * Context: Process context.
 * Return: 0, or -ESRCH if there is no such task.
 */
int fargs_tasks_assign(unsigned long *map, pid_t tid, bool is_in);

/**
 * fargs_tasks_register() - record tasks, and keep their bits up to date, from now on
 * @capture: what the capture paths see of the session
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_tasks_register(struct fargs_capture *capture);

/**
 * fargs_tasks_unregister() - end that
 * @capture: what the capture paths see of the session
 *
 * When it has returned no probe runs any more.
 *
 * Context: Process context. May sleep.
 */
void fargs_tasks_unregister(struct fargs_capture *capture);

#endif
