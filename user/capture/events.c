// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/follow.h"

int fargs_events_check(const struct fargs_capture_options *o, struct fargs_error_text *err)
{
	bool has_tasks = o->pids.nr || o->tids.nr;

	if (!o->events.nr)
		return 0;
	if (o->flight.is_on)
		return fargs_fail(err, EINVAL, "--flight keeps calls, and no events: leave out -e");
	if (o->calls.texts[FARGS_CALL_UID] || o->calls.texts[FARGS_CALL_CGROUP])
		return fargs_fail(err, EINVAL, "%s chooses calls, and no events: leave out -e",
				  o->calls.texts[FARGS_CALL_UID] ? "--uid" : "--cgroup");
	if (o->command && has_tasks && !o->is_follow && !o->has_all)
		return fargs_fail(err, EINVAL, "-e: events of the command, or of --pid and --tid? "
				  "Leave out one of them");
	return 0;
}

int fargs_events_choose(struct fargs_events *ev, const struct fargs_capture_options *o,
			struct fargs_error_text *err)
{
	return o->events.nr ? fargs_event_choice_init(&ev->choice, &o->events, err) : 0;
}

/* "0-3,7" has been checked. */
static void mark_cpus(bool *cpus, unsigned int nr, const char *text)
{
	unsigned long low, high;
	char *end;

	for (;; text = end + 1) {
		low = strtoul(text, &end, 10);
		high = *end == '-' ? strtoul(end + 1, &end, 10) : low;
		for (; low <= high && low < nr; low++)
			cpus[low] = true;
		if (*end != ',')
			break;
	}
}

static int choose_cpus(struct fargs_events *ev, const struct fargs_capture_options *o,
		       unsigned int nr, struct fargs_error_text *err)
{
	size_t i;

	if (!o->cpus.nr)
		return 0;
	ev->cpus = calloc(nr, sizeof(*ev->cpus));
	if (!ev->cpus)
		return fargs_fail(err, ENOMEM, "no memory for events");
	for (i = 0; i < o->cpus.nr; i++)
		mark_cpus(ev->cpus, nr, o->cpus.words[i]);
	ev->options.cpus = ev->cpus;
	return 0;
}

/* --comm as the kernel's filters have it: COMM is the task's name in every event. */
static int choose_comms(struct fargs_events *ev, const struct fargs_capture_options *o,
			struct fargs_error_text *err)
{
	const char *or = "";
	size_t i, size;
	FILE *out;

	if (!o->comms.nr)
		return 0;
	out = open_memstream(&ev->filter, &size);
	for (i = 0; out && i < o->comms.nr; i++) {
		if (strchr(o->comms.words[i], '"')) {
			fclose(out);
			return fargs_fail(err, EINVAL, "--comm: the kernel's filters know no "
					  "quote in '%s'", o->comms.words[i]);
		}
		fprintf(out, "%sCOMM ~ \"%s\"", or, o->comms.words[i]);
		or = " || ";
	}
	if (!out || fclose(out))
		return fargs_fail(err, ENOMEM, "no memory for events");
	ev->options.and_filter = ev->filter;
	return 0;
}

/* Adds those of one kind. */
static int add_tasks(struct fargs_events *ev, const struct fargs_list *pids,
		     const struct fargs_list *tids, enum fargs_perf_inherit inherit,
		     struct fargs_error_text *err)
{
	struct fargs_perf_task *tasks;
	pid_t *found;
	size_t nr, i;
	int ret;

	if (!pids->nr && !tids->nr)
		return 0;
	ret = fargs_follow_find(pids, tids, &found, &nr, err);
	if (ret)
		return ret;
	tasks = realloc(ev->tasks, (ev->options.nr_tasks + nr + 1) * sizeof(*tasks));
	if (!tasks) {
		free(found);
		return fargs_fail(err, ENOMEM, "no memory for events");
	}
	ev->tasks = tasks;
	for (i = 0; i < nr; i++)
		tasks[ev->options.nr_tasks++] = (struct fargs_perf_task){ found[i], inherit };
	free(found);
	return 0;
}

/* Drops tasks of other processes than --pid names: both have to be right. */
static int intersect(struct fargs_events *ev, const struct fargs_list *pids,
		     struct fargs_error_text *err)
{
	static const struct fargs_list none;
	size_t nr, i, j, kept = 0;
	pid_t *found;
	int ret = fargs_follow_find(pids, &none, &found, &nr, err);

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
	return kept ? 0 : fargs_fail(err, ESRCH, "no thread of --tid is one of --pid");
}

static int choose_tasks(struct fargs_events *ev, const struct fargs_capture_options *o,
			pid_t command, struct fargs_error_text *err)
{
	static const struct fargs_list none;
	int ret = 0;

	if (o->is_follow) {
		ret = add_tasks(ev, &o->pids, &o->tids, FARGS_PERF_CHILDREN, err);
	} else if (o->pids.nr || o->tids.nr) {
		ret = o->tids.nr ? add_tasks(ev, &none, &o->tids, FARGS_PERF_ALONE, err) :
				   add_tasks(ev, &o->pids, &none, FARGS_PERF_THREADS, err);
		if (!ret && o->tids.nr && o->pids.nr)
			ret = intersect(ev, &o->pids, err);
	} else if (!o->has_all) {
		ev->tasks = calloc(1, sizeof(*ev->tasks));
		if (!ev->tasks)
			return fargs_fail(err, ENOMEM, "no memory for events");
		*ev->tasks = (struct fargs_perf_task){ command, FARGS_PERF_CHILDREN };
		ev->options.nr_tasks = 1;
	}
	ev->options.tasks = ev->tasks;
	return ret;
}

int fargs_events_open(struct fargs_events *ev, const struct fargs_capture_options *o,
		      pid_t command, bool has_names, const struct fargs_meta *meta,
		      struct fargs_error_text *err)
{
	size_t nr_refused, i;
	int ret;

	if (!o->events.nr)
		return 0;
	ev->options.nr_cpus = meta->info.nr_cpus;
	ev->options.ring_bytes = meta->ring_bytes;
	ev->options.has_names = has_names;
	ev->options.is_monotonic = !meta->is_bare && !meta->info.tsc_stable;
	ev->offset_ns = INT64_MIN;
	ret = choose_cpus(ev, o, meta->info.nr_cpus, err);
	if (!ret)
		ret = choose_comms(ev, o, err);
	if (!ret)
		ret = choose_tasks(ev, o, command, err);
	if (ret)
		return ret;
	ev->perf = fargs_perf_open(&ev->choice, &ev->options, &nr_refused, err);
	if (!ev->perf)
		return -EINVAL;
	if (nr_refused)
		fprintf(stderr, "fargs: recording %zu events; %zu more match, but perf does not "
			"record them\n", ev->choice.nr - nr_refused, nr_refused);
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
	/* CLOCK_MONOTONIC was read a little later: the largest difference is the right one. */
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
	fargs_event_choice_deinit(&ev->choice);
	free(ev->tasks);
	free(ev->cpus);
	free(ev->filter);
	*ev = (struct fargs_events){ };
}
