/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The task filter of a session: a map with a bit for each task id, which probes on the kernel's
 * task tracepoints keep up to date. Also writes TASK records, which contain names of tasks.
 */
#ifndef FARGS_KMOD_PROBE_TASKS_H
#define FARGS_KMOD_PROBE_TASKS_H

#include <linux/types.h>

struct fargs_capture;
struct pid;

/**
 * fargs_tasks_init() - find the tracepoints of fork, exec, rename and free
 *
 * Context: Process context, at module init.
 * Return: 0, or -ENOENT if the kernel lacks one of them.
 */
int fargs_tasks_init(void);

/**
 * fargs_tasks_create_map() - create a map with a bit for each task id
 * @has_all: true: all bits are set, false: none
 *
 * Context: Process context. May sleep.
 * Return: The map, to be freed with kvfree() after the probes have been unregistered; or NULL if
 *	out of memory.
 */
unsigned long *fargs_tasks_create_map(bool has_all);

/**
 * fargs_tasks_assign() - change a task's bit
 * @map: the map returned by fargs_tasks_create_map()
 * @tid: id of the task in the caller's pid namespace
 * @is_in: true: set the bit, false: clear it
 *
 * Context: Process context.
 * Return: 0, or -ESRCH if there is no such task.
 */
int fargs_tasks_assign(unsigned long *map, pid_t tid, bool is_in);

/**
 * fargs_tasks_await_exec() - clear the bit of a process that is to be traced after its next exec
 * @map: the map returned by fargs_tasks_create_map()
 * @tid: id of the process in the caller's pid namespace
 *
 * Context: Process context.
 * Return: The value for fargs_capture.exec_pid, to be released with put_pid(); or NULL if there is
 *	no such process.
 */
struct pid *fargs_tasks_await_exec(unsigned long *map, pid_t tid);

/**
 * fargs_tasks_register() - start to write TASK records and to update the map
 * @capture: the part of the session that the capture paths use
 *
 * Context: Process context. May sleep.
 * Return: 0 or -errno.
 */
int fargs_tasks_register(struct fargs_capture *capture);

/**
 * fargs_tasks_unregister() - stop writing TASK records and updating the map
 * @capture: the capture that was passed to fargs_tasks_register()
 *
 * Waits until no probe is running.
 *
 * Context: Process context. May sleep.
 */
void fargs_tasks_unregister(struct fargs_capture *capture);

#endif
