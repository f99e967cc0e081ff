// SPDX-License-Identifier: GPL-2.0-only
#include "capture/pt_tasks.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/caps.h"
#include "kernel/cgroup.h"
#include "session/follow.h"
#include "session/snapshot.h"

/* May this process trace whatever a CPU executes? */
static bool may_trace_cpus(void)
{
	return fargs_caps_has(CAP_PERFMON) || fargs_caps_has(CAP_SYS_ADMIN);
}

/* Without privileges, one can only trace one's own tasks. */
static bool is_of_tasks(const struct fargs_capture_request *r)
{
	return r->is_pt_tasks ||
	       (!may_trace_cpus() && (r->command || r->pids.nr || r->tids.nr));
}

static int choose_pids(struct fargs_pt_task_choice *choice, const struct fargs_capture_request *r,
		       struct fargs_error_text *err)
{
	static const struct fargs_list none;

	choice->tasks.inherit = r->is_follow ? FARGS_PT_CHILDREN :
				r->tids.nr ? FARGS_PT_ALONE : FARGS_PT_THREADS;
	/* Without --follow, threads must match both lists. */
	return fargs_follow_find(r->tids.nr && !r->is_follow ? &none : &r->pids, &r->tids,
				 &choice->ids, &choice->tasks.nr, err);
}

static int choose_one(struct fargs_pt_task_choice *choice, pid_t id, struct fargs_error_text *err)
{
	choice->ids = malloc(sizeof(*choice->ids));
	if (!choice->ids)
		return fargs_fail(err, ENOMEM, "no memory for Intel PT");
	*choice->ids = id;
	choice->tasks.nr = 1;
	return 0;
}

static int choose_command(struct fargs_pt_task_choice *choice,
			  const struct fargs_capture_request *r, pid_t command,
			  struct fargs_error_text *err)
{
	choice->tasks.inherit = FARGS_PT_CHILDREN;
	choice->tasks.is_on_exec = !r->has_exec;
	return choose_one(choice, command, err);
}

static int choose_cgroup(struct fargs_pt_task_choice *choice,
			 const struct fargs_capture_request *r, struct fargs_error_text *err)
{
	int fd = fargs_cgroup_open(r->cgroups.words[0], err), ret;

	if (fd < 0)
		return fd;
	ret = choose_one(choice, fd, err);
	if (ret)
		close(fd);
	else
		choice->tasks.is_cgroup = true;
	return ret;
}

/* Is @id in a list of numbers and ranges, whose syntax was checked? */
static bool is_listed(const struct fargs_list *list, unsigned long id)
{
	unsigned long low, high;
	const char *p;
	char *end;
	size_t i;

	for (i = 0; i < list->nr; i++) {
		p = list->words[i];
		do {
			low = strtoul(p, &end, 10);
			high = *end == '-' ? strtoul(end + 1, &end, 10) : low;
			if (id >= low && id <= high)
				return true;
			p = end + 1;
		} while (*end);
	}
	return false;
}

/* The owner of a task's directory in /proc is its effective user. */
static bool is_of_users(pid_t tid, const struct fargs_list *uids)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", tid);
	return !stat(path, &st) && is_listed(uids, st.st_uid);
}

static int choose_users(struct fargs_pt_task_choice *choice, const struct fargs_capture_request *r,
			struct fargs_error_text *err)
{
	struct fargs_task_start *tasks;
	size_t i, nr;
	int ret = fargs_snapshot_tasks(&tasks, &nr, err);

	if (ret)
		return ret;
	choice->tasks.inherit = FARGS_PT_CHILDREN;
	choice->ids = calloc(nr + 1, sizeof(*choice->ids));
	if (!choice->ids)
		ret = fargs_fail(err, ENOMEM, "no memory for Intel PT");
	for (i = 0; !ret && i < nr; i++)
		if (is_of_users(tasks[i].tid, &r->uids))
			choice->ids[choice->tasks.nr++] = tasks[i].tid;
	free(tasks);
	return ret || choice->tasks.nr ? ret :
	       fargs_fail(err, ESRCH, "'--uid': there is no task of these users to trace with "
			  "Intel PT");
}

int fargs_pt_tasks_choose(struct fargs_pt_task_choice *choice,
			  const struct fargs_capture_request *r, pid_t command,
			  struct fargs_error_text *err)
{
	int ret = 0;

	if (!is_of_tasks(r))
		return 0;
	if (r->pids.nr || r->tids.nr)
		ret = choose_pids(choice, r, err);
	else if (r->command && !(r->has_all && (r->cgroups.nr || r->uids.nr)))
		ret = choose_command(choice, r, command, err);
	else if (r->cgroups.nr)
		ret = choose_cgroup(choice, r, err);
	else
		ret = choose_users(choice, r, err);
	choice->tasks.ids = choice->ids;
	return ret;
}

void fargs_pt_tasks_deinit(struct fargs_pt_task_choice *choice)
{
	if (choice->tasks.is_cgroup)
		close(*choice->ids);
	free(choice->ids);
	*choice = (struct fargs_pt_task_choice){ .ids = NULL };
}
