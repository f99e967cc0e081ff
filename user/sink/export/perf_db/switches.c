// SPDX-License-Identifier: GPL-2.0-only
#include "sink/export/perf_db/switches.h"

#define HOST	1	/* the id of the only machine */

/* perf's flags of a switch. */
#define OUT		1
#define PREEMPTED	2

/* Is it a task that has a name, and not the idle task? */
static bool is_known(const struct fargs_event_task *task)
{
	return task->tid > 0 && task->comm;
}

static int find(struct fargs_pdb_switches *s, const struct fargs_event_task *task,
		struct fargs_pdb_task *to)
{
	*to = (struct fargs_pdb_task){ };
	return task->tid >= 0 && task->comm ? fargs_pdb_tasks_find(s->tasks, task, to) : 0;
}

int fargs_pdb_switches_add(struct fargs_pdb_switches *s, const struct fargs_event *ev)
{
	const struct fargs_event_switch *sw = ev->sw;
	struct fargs_pdb_task own, other;
	const struct fargs_pdb_task *from, *to;
	int ret;

	if (!is_known(&sw->own) && !is_known(&sw->other))
		return 0;
	ret = find(s, &sw->own, &own);
	if (!ret)
		ret = find(s, &sw->other, &other);
	if (ret)
		return ret;
	from = sw->is_out ? &own : &other;
	to = sw->is_out ? &other : &own;
	return fargs_pdb_row(s->w, FARGS_PDB_CONTEXT_SWITCHES, (struct fargs_pdb_value []){
		FARGS_PDB_N(++s->nr), FARGS_PDB_N(HOST),
		FARGS_PDB_N(ev->has_no_time ? 0 : ev->time_ns),
		FARGS_PDB_N(ev->has_no_cpu ? -1 : (int64_t)ev->cpu), FARGS_PDB_N(from->thread),
		FARGS_PDB_N(from->comm), FARGS_PDB_N(to->thread), FARGS_PDB_N(to->comm),
		FARGS_PDB_N((sw->is_out ? OUT : 0) | (sw->is_preempted ? PREEMPTED : 0)),
	});
}
