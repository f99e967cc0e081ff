// SPDX-License-Identifier: GPL-2.0-only
#include "session/follow.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "session/snapshot.h"

struct search {
	const struct fargs_task_start *tasks;
	size_t nr_tasks;
	bool *is_found;		/* indexed like @tasks */
};

/* Marks the tasks with ids from @low to @high. Returns false if there are none. */
static bool mark(struct search *s, bool are_processes, unsigned long low, unsigned long high)
{
	bool is_any = false;
	size_t i;

	for (i = 0; i < s->nr_tasks; i++) {
		unsigned long id = are_processes ? s->tasks[i].tgid : s->tasks[i].tid;

		if (id < low || id > high)
			continue;
		s->is_found[i] = true;
		is_any = true;
	}
	return is_any;
}

static int mark_list(struct search *s, bool are_processes, const struct fargs_list *list,
		     struct fargs_error_text *err)
{
	unsigned long low, high;
	char *end;
	size_t i;

	for (i = 0; i < list->nr; i++) {
		const char *p = list->words[i];

		do {
			low = strtoul(p, &end, 10);
			high = *end == '-' ? strtoul(end + 1, &end, 10) : low;
			if (!mark(s, are_processes, low, high))
				return fargs_fail(err, ESRCH, "there is no %s %.*s to follow",
						  are_processes ? "process" : "thread",
						  (int)(end - p), p);
			p = end + 1;
		} while (*end);
	}
	return 0;
}

static int collect(const struct search *s, pid_t **found, size_t *nr, struct fargs_error_text *err)
{
	size_t i;

	*nr = 0;
	*found = calloc(s->nr_tasks + 1, sizeof(**found));
	if (!*found)
		return fargs_fail(err, ENOMEM, "no memory for the list of tasks");
	for (i = 0; i < s->nr_tasks; i++)
		if (s->is_found[i])
			(*found)[(*nr)++] = s->tasks[i].tid;
	return 0;
}

int fargs_follow_find(const struct fargs_list *pids, const struct fargs_list *tids,
		      pid_t **found, size_t *nr, struct fargs_error_text *err)
{
	struct fargs_task_start *tasks;
	struct search s = { };
	int ret = fargs_snapshot_tasks(&tasks, &s.nr_tasks, err);

	if (ret)
		return ret;
	s.tasks = tasks;
	s.is_found = calloc(s.nr_tasks + 1, sizeof(*s.is_found));
	if (!s.is_found)
		ret = fargs_fail(err, ENOMEM, "no memory for the list of tasks");
	if (!ret)
		ret = mark_list(&s, true, pids, err);
	if (!ret)
		ret = mark_list(&s, false, tids, err);
	if (!ret)
		ret = collect(&s, found, nr, err);
	free(s.is_found);
	free(tasks);
	return ret;
}
