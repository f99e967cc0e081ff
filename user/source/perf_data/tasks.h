/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks of a perf.data: their names, and what files are mapped where. Records are to be
 * given in the order of time; what is asked holds then.
 */
#ifndef FARGS_PERF_TASKS_H
#define FARGS_PERF_TASKS_H

#include <stddef.h>
#include <stdint.h>

struct fargs_perf_tasks;

/* Part of a file in memory. */
struct fargs_perf_map {
	uint64_t start, end;
	uint64_t at;		/* in the file; of the kernel, as perf records it */
	const char *path;	/* the same pointer for the same path */
};

/* The kernel's maps are of this "process". */
#define FARGS_PERF_KERNEL	(-1)

struct fargs_perf_tasks *fargs_perf_tasks_create(void);	/* NULL: no memory */
void fargs_perf_tasks_destroy(struct fargs_perf_tasks *tasks);

/* Each may fail with -ENOMEM. */
int fargs_perf_tasks_add_map(struct fargs_perf_tasks *tasks, int32_t pid,
			     const struct fargs_perf_map *map);
/* @is_exec: and it begins anew, with nothing mapped. */
int fargs_perf_tasks_set_comm(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			      const char *comm, int is_exec);
int fargs_perf_tasks_fork(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			  int32_t parent_pid, int32_t parent_tid);

/* NULL: not known. Both until the next change. */
const char *fargs_perf_tasks_comm(const struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid);
const struct fargs_perf_map *fargs_perf_tasks_find(const struct fargs_perf_tasks *tasks,
						   int32_t pid, uint64_t addr);

#endif
