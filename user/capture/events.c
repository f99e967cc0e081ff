// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cpus.h"
#include "session/follow.h"

int fargs_events_choose(struct fargs_events *ev, const struct fargs_capture_request *r,
			struct fargs_missing *missing, struct fargs_error_text *err)
{
	return r->events.nr ? fargs_event_selection_init(&ev->selection, &r->events, missing,
							 err) : 0;
}

static int choose_cpus(struct fargs_events *ev, const struct fargs_capture_request *r,
		       unsigned int nr, struct fargs_capture_error *err)
{
	size_t i;

	if (!r->cpus.nr)
		return 0;
	ev->cpus = calloc(nr, sizeof(*ev->cpus));
	if (!ev->cpus)
		return fargs_fail(&err->text, ENOMEM, "no memory for events");
	/* Parsing cannot fail, because the request's CPU lists were checked before. */
	for (i = 0; i < r->cpus.nr; i++)
		fargs_cpus_parse(r->cpus.words[i], ev->cpus, nr);
	ev->options.cpus = ev->cpus;
	return 0;
}

/*
 * Builds an event filter in the kernel's syntax from the requested globs for names of tasks. All
 * events support the field COMM, the name of the current task.
 */
static int choose_comms(struct fargs_events *ev, const struct fargs_capture_request *r,
			struct fargs_capture_error *err)
{
	const char *or = "";
	size_t i, size;
	FILE *out;

	if (!r->comms.nr)
		return 0;
	out = open_memstream(&ev->filter, &size);
	for (i = 0; out && i < r->comms.nr; i++) {
		if (strchr(r->comms.words[i], '"')) {
			fclose(out);
			return fargs_capture_fail(err, FARGS_FAULT_COMMS, EINVAL,
						  "'%s' contains a double quote, which the "
						  "kernel's filters do not support",
						  r->comms.words[i]);
		}
		fprintf(out, "%sCOMM ~ \"%s\"", or, r->comms.words[i]);
		or = " || ";
	}
	if (!out || fclose(out))
		return fargs_fail(&err->text, ENOMEM, "no memory for events");
	ev->options.and_filter = ev->filter;
	return 0;
}

/*
 * Adds the tasks in the lists @pids and @tids to @ev->tasks, whose events are recorded. @inherit:
 * whether the events of threads and children that these tasks start are recorded as well.
 */
static int add_tasks(struct fargs_events *ev, const struct fargs_list *pids,
		     const struct fargs_list *tids, enum fargs_perf_inherit inherit,
		     struct fargs_capture_error *err)
{
	struct fargs_perf_task *tasks;
	pid_t *found;
	size_t nr, i;
	int ret;

	if (!pids->nr && !tids->nr)
		return 0;
	ret = fargs_follow_find(pids, tids, &found, &nr, &err->text);
	if (ret)
		return ret;
	tasks = realloc(ev->tasks, (ev->options.nr_tasks + nr + 1) * sizeof(*tasks));
	if (!tasks) {
		free(found);
		return fargs_fail(&err->text, ENOMEM, "no memory for events");
	}
	ev->tasks = tasks;
	for (i = 0; i < nr; i++)
		tasks[ev->options.nr_tasks++] = (struct fargs_perf_task){ found[i], inherit };
	free(found);
	return 0;
}

/*
 * Drops the tasks that do not belong to the processes @pids: if both processes and threads are
 * requested, a task must match both lists.
 */
static int intersect(struct fargs_events *ev, const struct fargs_list *pids,
		     struct fargs_capture_error *err)
{
	static const struct fargs_list none;
	size_t nr, i, j, kept = 0;
	pid_t *found;
	int ret = fargs_follow_find(pids, &none, &found, &nr, &err->text);

	if (ret)
		return ret;
	for (i = 0; i < ev->options.nr_tasks; i++) {
		for (j = 0; j < nr && found[j] != ev->tasks[i].tid; j++)
			;
		if (j < nr)
			ev->tasks[kept++] = ev->tasks[i];
	}
	free(found);
	ev->options.nr_tasks = kept;
	return kept ? 0 : fargs_capture_fail(err, FARGS_FAULT_TASKS, ESRCH,
					     "none of the threads belongs to these processes");
}

static int choose_tasks(struct fargs_events *ev, const struct fargs_capture_request *r,
			pid_t command, struct fargs_capture_error *err)
{
	static const struct fargs_list none;
	int ret = 0;

	if (r->is_follow) {
		ret = add_tasks(ev, &r->pids, &r->tids, FARGS_PERF_CHILDREN, err);
	} else if (r->pids.nr || r->tids.nr) {
		ret = r->tids.nr ? add_tasks(ev, &none, &r->tids, FARGS_PERF_ALONE, err) :
				   add_tasks(ev, &r->pids, &none, FARGS_PERF_THREADS, err);
		if (!ret && r->tids.nr && r->pids.nr)
			ret = intersect(ev, &r->pids, err);
	} else if (!r->has_all) {
		ev->tasks = calloc(1, sizeof(*ev->tasks));
		if (!ev->tasks)
			return fargs_fail(&err->text, ENOMEM, "no memory for events");
		*ev->tasks = (struct fargs_perf_task){ command, FARGS_PERF_CHILDREN };
		ev->options.nr_tasks = 1;
		ev->options.is_on_exec = !r->has_exec;
	}
	ev->options.tasks = ev->tasks;
	return ret;
}

int fargs_events_open(struct fargs_events *ev, const struct fargs_capture_request *r,
		      pid_t command, bool has_names, const struct fargs_meta *meta,
		      size_t *nr_refused, struct fargs_capture_error *err)
{
	size_t i;
	int ret;

	if (!ev->selection.nr)
		return 0;
	ev->options.nr_cpus = meta->info.nr_cpus;
	ev->options.ring_bytes = meta->ring_bytes;
	ev->options.has_names = has_names;
	ev->options.is_monotonic = !meta->is_bare && !meta->info.tsc_stable;
	ev->offset_ns = INT64_MIN;
	ret = choose_cpus(ev, r, meta->info.nr_cpus, err);
	if (!ret)
		ret = choose_comms(ev, r, err);
	if (!ret)
		ret = choose_tasks(ev, r, command, err);
	if (ret)
		return ret;
	ev->perf = fargs_perf_open(&ev->selection, &ev->options, nr_refused, &err->text);
	if (!ev->perf)
		return -EINVAL;
	for (i = 0; i < meta->nr_clocks; i++)
		fargs_events_clock(ev, meta->clocks[i].cpus, meta->info.nr_cpus);
	return 0;
}

void fargs_events_clock(struct fargs_events *ev, const struct fargs_clock_sample *samples,
			unsigned int nr_cpus)
{
	unsigned int cpu;
	int64_t ns;

	if (!ev->perf || !ev->options.is_monotonic)
		return;
	/*
	 * Each sample contains the perf clock, and CLOCK_MONOTONIC read slightly later. The delay
	 * makes the perf clock minus CLOCK_MONOTONIC too small, so the largest difference is the
	 * most accurate.
	 */
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		ns = samples[cpu].perf_ns - samples[cpu].mono_ns;
		if (samples[cpu].is_valid && ns > ev->offset_ns)
			ev->offset_ns = ns;
	}
	fargs_perf_set_offset(ev->perf, ev->offset_ns);
}

void fargs_events_deinit(struct fargs_events *ev)
{
	fargs_perf_close(ev->perf);
	fargs_event_selection_deinit(&ev->selection);
	free(ev->tasks);
	free(ev->cpus);
	free(ev->filter);
	*ev = (struct fargs_events){ };
}
