// SPDX-License-Identifier: GPL-2.0-only
#include "session/snapshot.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

struct list {
	struct fargs_task_start *tasks;
	size_t nr;
	size_t room;
};

/* Parses @name as a positive decimal number. Returns 0 if it is not one. */
static pid_t read_id(const char *name)
{
	char *end;
	long id = strtol(name, &end, 10);

	return isdigit((unsigned char)*name) && !*end ? id : 0;
}

static int append(struct list *list, pid_t tgid, pid_t tid, const char *comm, size_t len)
{
	struct fargs_task_start *task;

	if (list->nr == list->room) {
		size_t room = list->room ? 2 * list->room : 256;

		task = realloc(list->tasks, room * sizeof(*task));
		if (!task)
			return -ENOMEM;
		list->tasks = task;
		list->room = room;
	}
	task = &list->tasks[list->nr++];
	memset(task, 0, sizeof(*task));
	task->tid = tid;
	task->tgid = tgid;
	/*
	 * The file /proc/PID/task/TID/comm ends with a newline; the name itself may also contain
	 * one.
	 */
	if (len && comm[len - 1] == '\n')
		len--;
	if (len >= FARGS_COMM_LEN)
		len = FARGS_COMM_LEN - 1;
	memcpy(task->comm, comm, len);
	return 0;
}

static int add_process(struct list *list, pid_t tgid)
{
	char path[64], comm[64];
	struct dirent *entry;
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", tgid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (entry = readdir(dir))) {
		pid_t tid = read_id(entry->d_name);
		ssize_t len;
		int fd;

		if (!tid)
			continue;
		snprintf(path, sizeof(path), "%d/comm", tid);
		fd = openat(dirfd(dir), path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		/*
		 * For kernel workers, the file contains more than the comm; append() truncates it.
		 */
		len = read(fd, comm, sizeof(comm));
		close(fd);
		if (len > 0)
			ret = append(list, tgid, tid, comm, len);
	}
	closedir(dir);
	return ret;
}

int fargs_snapshot_tasks(struct fargs_task_start **tasks, size_t *nr, struct fargs_error_text *err)
{
	struct list list = { };
	struct dirent *entry;
	int ret = 0;
	DIR *dir = opendir("/proc");

	if (!dir)
		return fargs_fail(err, errno, "cannot read '/proc': %s", strerror(errno));
	while (!ret && (entry = readdir(dir))) {
		pid_t tgid = read_id(entry->d_name);

		if (tgid)
			ret = add_process(&list, tgid);
	}
	closedir(dir);
	if (ret) {
		free(list.tasks);
		return fargs_fail(err, -ret, "no memory for the list of tasks");
	}
	*tasks = list.tasks;
	*nr = list.nr;
	return 0;
}

/* Reads the ids of our threads. Returns -ENOMEM, or 0 with all ids that could be read. */
static int read_own(pid_t **tids, size_t *nr)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	pid_t *to, tid;

	while (dir && (entry = readdir(dir))) {
		tid = read_id(entry->d_name);
		if (!tid)
			continue;
		to = fargs_array_add(*tids, *nr);
		if (!to) {
			closedir(dir);
			return -ENOMEM;
		}
		*to = tid;
	}
	if (dir)
		closedir(dir);
	return 0;
}

static bool has(const pid_t *tids, size_t nr, pid_t tid)
{
	while (nr)
		if (tids[--nr] == tid)
			return true;
	return false;
}

int fargs_snapshot_own(pid_t **tids, size_t *nr, struct fargs_error_text *err)
{
	pid_t *one;
	int ret;

	*nr = 0;
	*tids = NULL;
	ret = read_own(tids, nr);
	/* If /proc belongs to another pid namespace, the ids in it are not ours. */
	if (!ret && !has(*tids, *nr, getpid())) {
		one = realloc(*tids, sizeof(*one));
		if (one) {
			*tids = one;
			*one = getpid();
			*nr = 1;
		} else {
			ret = -ENOMEM;
		}
	}
	if (!ret)
		return 0;
	free(*tids);
	*tids = NULL;
	return fargs_fail(err, ENOMEM, "no memory for the list of threads");
}
