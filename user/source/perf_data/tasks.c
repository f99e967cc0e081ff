// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* Chains of a hash; as many tasks as there may be, they stay short. */
#define CHAINS	4096

struct task {
	struct task *next;
	int32_t id;			/* tid; or pid, of a process */
	char comm[16];			/* of a thread; empty: not known */
	struct fargs_perf_map *maps;	/* of a process, as they came: later ones hold */
	size_t nr_maps;
};

struct fargs_perf_tasks {
	struct task *threads[CHAINS];
	struct task *processes[CHAINS];
	char **paths;			/* each once */
	size_t nr_paths;
};

struct fargs_perf_tasks *fargs_perf_tasks_create(void)
{
	return calloc(1, sizeof(struct fargs_perf_tasks));
}

static void destroy(struct task **chains)
{
	struct task *task, *next;
	size_t i;

	for (i = 0; i < CHAINS; i++) {
		for (task = chains[i]; task; task = next) {
			next = task->next;
			free(task->maps);
			free(task);
		}
	}
}

void fargs_perf_tasks_destroy(struct fargs_perf_tasks *tasks)
{
	size_t i;

	if (!tasks)
		return;
	destroy(tasks->threads);
	destroy(tasks->processes);
	for (i = 0; i < tasks->nr_paths; i++)
		free(tasks->paths[i]);
	free(tasks->paths);
	free(tasks);
}

static struct task *find(struct task *const *chains, int32_t id)
{
	struct task *task = chains[(uint32_t)id % CHAINS];

	while (task && task->id != id)
		task = task->next;
	return task;
}

static struct task *get(struct task **chains, int32_t id)
{
	struct task *task = find(chains, id), **chain = &chains[(uint32_t)id % CHAINS];

	if (task)
		return task;
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->id = id;
	task->next = *chain;
	*chain = task;
	return task;
}

/* As many as there are programs and libraries: few. The last ones are met again first. */
static const char *intern(struct fargs_perf_tasks *tasks, const char *path)
{
	char **larger;
	size_t i;

	for (i = tasks->nr_paths; i; i--)
		if (!strcmp(tasks->paths[i - 1], path))
			return tasks->paths[i - 1];
	larger = fargs_grow(tasks->paths, tasks->nr_paths, sizeof(*larger));
	if (!larger)
		return NULL;
	tasks->paths = larger;
	larger[tasks->nr_paths] = strdup(path);
	return larger[tasks->nr_paths] ? larger[tasks->nr_paths++] : NULL;
}

int fargs_perf_tasks_add_map(struct fargs_perf_tasks *tasks, int32_t pid,
			     const struct fargs_perf_map *map)
{
	struct task *process = get(tasks->processes, pid);
	struct fargs_perf_map *larger, mine = *map;

	mine.path = intern(tasks, map->path);
	if (!process || !mine.path)
		return -ENOMEM;
	larger = fargs_grow(process->maps, process->nr_maps, sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	process->maps = larger;
	larger[process->nr_maps++] = mine;
	return 0;
}

int fargs_perf_tasks_set_comm(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			      const char *comm, int is_exec)
{
	struct task *thread = get(tasks->threads, tid), *process;

	if (!thread)
		return -ENOMEM;
	strncpy(thread->comm, comm, sizeof(thread->comm) - 1);
	process = is_exec ? find(tasks->processes, pid) : NULL;
	if (process) {
		free(process->maps);
		process->maps = NULL;
		process->nr_maps = 0;
	}
	return 0;
}

/* What was mapped in the parent then. The number may have been another process' before. */
static int copy_maps(struct fargs_perf_tasks *tasks, int32_t pid, int32_t parent_pid)
{
	const struct task *parent = find(tasks->processes, parent_pid);
	struct task *process = find(tasks->processes, pid);
	size_t i;
	int ret = 0;

	if (process) {
		free(process->maps);
		process->maps = NULL;
		process->nr_maps = 0;
	}
	for (i = 0; !ret && parent && i < parent->nr_maps; i++)
		ret = fargs_perf_tasks_add_map(tasks, pid, &parent->maps[i]);
	return ret;
}

int fargs_perf_tasks_fork(struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid,
			  int32_t parent_pid, int32_t parent_tid)
{
	const struct task *parent = find(tasks->threads, parent_tid);
	struct task *thread = get(tasks->threads, tid);

	if (!thread)
		return -ENOMEM;
	if (parent && parent != thread)
		memcpy(thread->comm, parent->comm, sizeof(thread->comm));
	return pid == parent_pid ? 0 : copy_maps(tasks, pid, parent_pid);
}

const char *fargs_perf_tasks_comm(const struct fargs_perf_tasks *tasks, int32_t pid, int32_t tid)
{
	const struct task *thread = find(tasks->threads, tid);

	if (!thread || !thread->comm[0])
		thread = find(tasks->threads, pid);
	return thread && thread->comm[0] ? thread->comm : NULL;
}

const struct fargs_perf_map *fargs_perf_tasks_find(const struct fargs_perf_tasks *tasks,
						   int32_t pid, uint64_t addr)
{
	const struct task *process = find(tasks->processes, pid);
	size_t i;

	for (i = process ? process->nr_maps : 0; i; i--)
		if (addr >= process->maps[i - 1].start && addr < process->maps[i - 1].end)
			return &process->maps[i - 1];
	return NULL;
}
