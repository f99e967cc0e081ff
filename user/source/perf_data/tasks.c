// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/hash.h"

struct thread {
	int32_t tid;
	char comm[16];			/* empty: unknown */
	uint64_t named_ns;		/* since when it has this name */
	bool is_named_by_exec;
};

struct process {
	int32_t pid;
	struct fargs_perf_map *maps;	/* in order of addition: later maps replace earlier ones */
	size_t nr_maps;
};

struct fargs_perf_tasks {
	struct thread *threads;
	size_t nr_threads;
	struct fargs_hash by_tid;
	struct process *processes;
	size_t nr_processes;
	struct fargs_hash by_pid;
	char **paths;			/* interned paths, without duplicates */
	size_t nr_paths;
};

struct fargs_perf_tasks *fargs_perf_tasks_create(void)
{
	return calloc(1, sizeof(struct fargs_perf_tasks));
}

void fargs_perf_tasks_destroy(struct fargs_perf_tasks *tasks)
{
	size_t i;

	if (!tasks)
		return;
	free(tasks->threads);
	fargs_hash_deinit(&tasks->by_tid);
	for (i = 0; i < tasks->nr_processes; i++)
		free(tasks->processes[i].maps);
	free(tasks->processes);
	fargs_hash_deinit(&tasks->by_pid);
	for (i = 0; i < tasks->nr_paths; i++)
		free(tasks->paths[i]);
	free(tasks->paths);
	free(tasks);
}

static struct thread *find_thread(const struct fargs_perf_tasks *tasks, int32_t tid)
{
	uint32_t at, i;

	fargs_hash_for_each(i, at, &tasks->by_tid, fargs_hash_u64((uint32_t)tid))
		if (tasks->threads[i].tid == tid)
			return &tasks->threads[i];
	return NULL;
}

static struct process *find_process(const struct fargs_perf_tasks *tasks, int32_t pid)
{
	uint32_t at, i;

	fargs_hash_for_each(i, at, &tasks->by_pid, fargs_hash_u64((uint32_t)pid))
		if (tasks->processes[i].pid == pid)
			return &tasks->processes[i];
	return NULL;
}

/*
 * Returns the thread @tid, adding it if it is new. Valid until the next call. NULL: out of memory.
 */
static struct thread *get_thread(struct fargs_perf_tasks *tasks, int32_t tid)
{
	struct thread *thread = find_thread(tasks, tid);

	if (thread || fargs_hash_reserve(&tasks->by_tid, tasks->nr_threads + 1))
		return thread;
	thread = fargs_array_add(tasks->threads, tasks->nr_threads);
	if (!thread)
		return NULL;
	*thread = (struct thread){ .tid = tid };
	fargs_hash_add(&tasks->by_tid, fargs_hash_u64((uint32_t)tid), tasks->nr_threads - 1);
	return thread;
}

/*
 * Returns the process @pid, adding it if it is new. Valid until the next call. NULL: out of memory.
 */
static struct process *get_process(struct fargs_perf_tasks *tasks, int32_t pid)
{
	struct process *process = find_process(tasks, pid);

	if (process || fargs_hash_reserve(&tasks->by_pid, tasks->nr_processes + 1))
		return process;
	process = fargs_array_add(tasks->processes, tasks->nr_processes);
	if (!process)
		return NULL;
	*process = (struct process){ .pid = pid };
	fargs_hash_add(&tasks->by_pid, fargs_hash_u64((uint32_t)pid), tasks->nr_processes - 1);
	return process;
}

/*
 * Returns the interned @path; NULL: out of memory. A linear search, from the latest path to the
 * first, suffices, because there are few paths.
 */
static const char *intern(struct fargs_perf_tasks *tasks, const char *path)
{
	__cleanup_free char *copy = NULL;
	char **to;
	size_t i;

	for (i = tasks->nr_paths; i; i--)
		if (!strcmp(tasks->paths[i - 1], path))
			return tasks->paths[i - 1];
	copy = strdup(path);
	to = copy ? fargs_array_add(tasks->paths, tasks->nr_paths) : NULL;
	if (!to)
		return NULL;
	*to = fargs_take_ptr(copy);
	return *to;
}

int fargs_perf_tasks_add_map(struct fargs_perf_tasks *tasks, int32_t pid,
			     const struct fargs_perf_map *map)
{
	struct process *process = get_process(tasks, pid);
	struct fargs_perf_map *to, mine = *map;

	mine.path = intern(tasks, map->path);
	if (!process || !mine.path)
		return -ENOMEM;
	to = fargs_array_add(process->maps, process->nr_maps);
	if (!to)
		return -ENOMEM;
	*to = mine;
	return 0;
}

static void forget_maps(struct process *process)
{
	free(process->maps);
	process->maps = NULL;
	process->nr_maps = 0;
}

int fargs_perf_tasks_set_comm(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			      const char *comm, uint64_t ns, bool is_exec)
{
	struct thread *thread = get_thread(tasks, tid);
	struct process *process;

	if (!thread)
		return -ENOMEM;
	strncpy(thread->comm, comm, sizeof(thread->comm) - 1);
	thread->named_ns = ns;
	thread->is_named_by_exec = is_exec;
	process = is_exec ? find_process(tasks, pid) : NULL;
	if (process)
		forget_maps(process);
	return 0;
}

/*
 * Replaces the maps of @pid by copies of the parent's. An earlier process may have had the same
 * pid.
 */
static int copy_maps(struct fargs_perf_tasks *tasks, int32_t pid, int32_t parent_pid)
{
	struct process *process = get_process(tasks, pid);
	const struct process *parent = find_process(tasks, parent_pid);
	size_t i;
	int ret = 0;

	if (!process)
		return -ENOMEM;
	forget_maps(process);
	for (i = 0; !ret && parent && i < parent->nr_maps; i++)
		ret = fargs_perf_tasks_add_map(tasks, pid, &parent->maps[i]);
	return ret;
}

int fargs_perf_tasks_fork(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			  int32_t parent_pid, int32_t parent_tid, uint64_t ns)
{
	struct thread *thread = get_thread(tasks, tid);
	const struct thread *parent = find_thread(tasks, parent_tid);

	if (!thread)
		return -ENOMEM;
	if (parent && parent != thread) {
		memcpy(thread->comm, parent->comm, sizeof(thread->comm));
		thread->named_ns = ns;
		thread->is_named_by_exec = false;
	}
	return pid == parent_pid ? 0 : copy_maps(tasks, pid, parent_pid);
}

/* Returns the thread whose name a task has; NULL: unknown. */
static const struct thread *find_named(const struct fargs_perf_tasks *tasks, int32_t pid,
				       int32_t tid)
{
	const struct thread *thread = find_thread(tasks, tid);

	if (!thread || !thread->comm[0])
		thread = find_thread(tasks, pid);
	return thread && thread->comm[0] ? thread : NULL;
}

const char *fargs_perf_tasks_comm(const struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid)
{
	const struct thread *thread = find_named(tasks, pid, tid);

	return thread ? thread->comm : NULL;
}

uint64_t fargs_perf_tasks_named(const struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
				bool *is_exec)
{
	const struct thread *thread = find_named(tasks, pid, tid);

	*is_exec = thread && thread->is_named_by_exec;
	return thread ? thread->named_ns : 0;
}

const struct fargs_perf_map *fargs_perf_tasks_find(const struct fargs_perf_tasks *tasks,
						   int32_t pid, uint64_t addr)
{
	const struct process *process = find_process(tasks, pid);
	size_t i;

	for (i = process ? process->nr_maps : 0; i; i--)
		if (addr >= process->maps[i - 1].start && addr < process->maps[i - 1].end)
			return &process->maps[i - 1];
	return NULL;
}
