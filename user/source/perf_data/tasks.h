/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks of a perf.data: their names and mapped files. Records must be added in order of time;
 * queries return the state after the last one.
 */
#ifndef FARGS_SOURCE_PERF_DATA_TASKS_H
#define FARGS_SOURCE_PERF_DATA_TASKS_H

#include <stddef.h>
#include <stdint.h>

struct fargs_perf_tasks;

/* A mapped part of a file. */
struct fargs_perf_map {
	uint64_t start, end;
	uint64_t at;		/* offset in the file; for kernel maps as perf records it */
	const char *path;	/* interned: equal paths are the same pointer */
};

/* Pid of the kernel's maps. */
#define FARGS_PERF_KERNEL	(-1)

struct fargs_perf_tasks *fargs_perf_tasks_create(void);	/* NULL: out of memory */
void fargs_perf_tasks_destroy(struct fargs_perf_tasks *tasks);

/* Each returns 0 or -ENOMEM. */
int fargs_perf_tasks_add_map(struct fargs_perf_tasks *tasks, int32_t pid,
			     const struct fargs_perf_map *map);
/* Names a task. @is_exec: it has executed a new program; drops all its maps. */
int fargs_perf_tasks_set_comm(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			      const char *comm, int is_exec);
int fargs_perf_tasks_fork(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			  int32_t parent_pid, int32_t parent_tid);

/* Results are valid until the next change; NULL: unknown. */
const char *fargs_perf_tasks_comm(const struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid);
const struct fargs_perf_map *fargs_perf_tasks_find(const struct fargs_perf_tasks *tasks,
						   int32_t pid, uint64_t addr);

#endif
