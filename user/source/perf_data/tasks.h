/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tasks of a perf.data file: their names and mapped files. Records must be added in time order;
 * queries return the state after the last record that was added.
 */
#ifndef FARGS_SOURCE_PERF_DATA_TASKS_H
#define FARGS_SOURCE_PERF_DATA_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/perf_data/build_id.h"

struct fargs_perf_tasks;

/* A part of a file that is mapped into a process. */
struct fargs_perf_map {
	uint64_t start, end;
	uint64_t at;		/* offset in the file; for kernel maps, as recorded by perf */
	const char *path;	/* interned: equal paths are the same pointer */
	struct fargs_build_id build_id;	/* from the MMAP2 record */
};

/* The pid under which the maps of the kernel are added. */
#define FARGS_PERF_KERNEL	(-1)

struct fargs_perf_tasks *fargs_perf_tasks_create(void);	/* NULL: out of memory */
void fargs_perf_tasks_destroy(struct fargs_perf_tasks *tasks);

/* The following functions return 0 or -ENOMEM. */
int fargs_perf_tasks_add_map(struct fargs_perf_tasks *tasks, int32_t pid,
			     const struct fargs_perf_map *map);
/*
 * Sets the name of a task, which it has since @ns. @is_exec: the task has executed a new program,
 * so its maps are dropped.
 */
int fargs_perf_tasks_set_comm(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			      const char *comm, uint64_t ns, bool is_exec);
int fargs_perf_tasks_fork(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			  int32_t parent_pid, int32_t parent_tid, uint64_t ns);

/* Results of the following queries are valid until the next record is added; NULL: unknown. */
const char *fargs_perf_tasks_comm(const struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid);
/* Returns since when a task has its name, and sets *@is_exec: did an exec set it? 0: unknown. */
uint64_t fargs_perf_tasks_named(const struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
				bool *is_exec);
const struct fargs_perf_map *fargs_perf_tasks_find(const struct fargs_perf_tasks *tasks,
						   int32_t pid, uint64_t addr);

#endif
