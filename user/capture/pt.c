// SPDX-License-Identifier: GPL-2.0-only
#include "capture/pt.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/size.h"
#include "capture/pt_filter.h"
#include "capture/pt_sample.h"
#include "capture/pt_tasks.h"
#include "kernel/caps.h"
#include "kernel/cpus.h"

#define DEFAULT_AUX_BYTES	(4u << 20)
/* As in perf, for users whose locked memory is limited. */
#define USER_AUX_BYTES		(128u << 10)
/* The default buffers of all CPUs together take at most 1/MEMORY_PART of the memory. */
#define MEMORY_PART		16
/*
 * Maximum size of a CPU's AUX buffer. The kernel calls kmalloc(), which allocates at most 4 MiB,
 * for an array of pointers to the buffer's pages; for a buffer of 1 GiB, this array takes 2 MiB.
 */
#define AUX_BYTES_MAX		(1ull << 30)

static void add_actions(struct fargs_pt *pt, const struct fargs_event_selection *events,
			bool is_resume)
{
	size_t i, nr;

	for (i = 0; i < events->nr; i++) {
		nr = pt->options.nr_actions++;
		snprintf(pt->action_names[nr], sizeof(*pt->action_names), "%s:%s",
			 events->matches[i].event->system, events->matches[i].event->name);
		pt->actions[nr] = (struct fargs_pt_action){
			.id = events->matches[i].id, .name = pt->action_names[nr],
			.is_resume = is_resume,
		};
	}
}

/* Finds the events that pause or resume the trace. */
static int choose_actions(struct fargs_pt *pt, const struct fargs_capture_request *r,
			  struct fargs_capture_error *err)
{
	size_t nr;
	int ret = 0;

	if (r->pt_pause.nr)
		ret = fargs_event_selection_init(&pt->pause, &r->pt_pause, NULL, &err->text);
	if (!ret && r->pt_resume.nr)
		ret = fargs_event_selection_init(&pt->resume, &r->pt_resume, NULL, &err->text);
	nr = pt->pause.nr + pt->resume.nr;
	if (ret || !nr)
		return ret;
	pt->actions = calloc(nr, sizeof(*pt->actions));
	pt->action_names = calloc(nr, sizeof(*pt->action_names));
	if (!pt->actions || !pt->action_names)
		return fargs_fail(&err->text, ENOMEM, "no memory for Intel PT");
	add_actions(pt, &pt->pause, false);
	add_actions(pt, &pt->resume, true);
	pt->options.actions = pt->actions;
	pt->options.is_start_paused = pt->resume.nr;
	return 0;
}

int fargs_pt_choose(struct fargs_pt *pt, const struct fargs_capture_request *r,
		    struct fargs_capture_error *err)
{
	int ret;

	if (!r->has_pt)
		return 0;
	ret = fargs_pt_pmu_load(&pt->pmu, FARGS_PT_PMU_DIR, &err->text);
	if (!ret)
		ret = fargs_pt_terms_parse(&pt->terms, r->pt_terms, &pt->pmu,
					   fargs_pt_is_sampled(r), &err->text);
	if (ret) {
		err->fault = FARGS_FAULT_PT;
		return ret;
	}
	ret = choose_actions(pt, r, err);
	if (!ret)
		ret = fargs_pt_samples_choose(pt, r, err);
	return ret ? ret : fargs_pt_filter_choose(pt, r, err);
}

static uint64_t default_aux_bytes(unsigned int nr_cpus)
{
	uint64_t bytes = fargs_caps_has(CAP_IPC_LOCK) ? DEFAULT_AUX_BYTES : USER_AUX_BYTES;
	uint64_t all = UINT64_MAX, page = sysconf(_SC_PAGESIZE);
	struct sysinfo si;

	if (!sysinfo(&si))
		all = (uint64_t)si.totalram * si.mem_unit;
	while (bytes > 4 * page && bytes * nr_cpus > all / MEMORY_PART)
		bytes /= 2;
	return bytes;
}

/* Returns the smallest buffer that holds a snapshot of @bytes. */
static uint64_t room_for(uint64_t bytes, uint64_t page)
{
	uint64_t room = page;

	while (room < bytes && room < AUX_BYTES_MAX)
		room *= 2;
	return room;
}

int fargs_pt_sizes(const struct fargs_capture_request *r, unsigned int nr_cpus,
		   uint64_t *aux_bytes, uint64_t *snapshot_bytes, struct fargs_capture_error *err)
{
	uint64_t page = sysconf(_SC_PAGESIZE), sample = fargs_pt_sample_bytes(r);
	uint64_t least = r->flight.is_on || sample ? page : 2 * page;
	uint64_t snapshot = r->flight.snapshot_bytes;
	uint64_t bytes = r->aux_bytes ? r->aux_bytes : snapshot ? room_for(snapshot, page) :
			 default_aux_bytes(nr_cpus);
	char size[32], room[32];

	if (!r->aux_bytes && bytes < sample)
		bytes = room_for(sample, page);
	if (bytes < least || bytes > AUX_BYTES_MAX || bytes & (bytes - 1))
		return fargs_capture_fail(err, FARGS_FAULT_AUX_BYTES, EINVAL, "a buffer of %s for "
					  "'--pt' is invalid: give a power of two from %s to 1G",
					  fargs_size_exact(bytes, size, sizeof(size)),
					  fargs_size_exact(least, room, sizeof(room)));
	if (snapshot > bytes)
		return fargs_capture_fail(err, FARGS_FAULT_OTHER, EINVAL, "'--flight': a snapshot "
					  "of %s does not fit into a buffer of %s for '--pt': give "
					  "a larger one with '-m ,SIZE', up to 1G",
					  fargs_size_exact(snapshot, size, sizeof(size)),
					  fargs_size_exact(bytes, room, sizeof(room)));
	if (sample > bytes)
		return fargs_capture_fail(err, FARGS_FAULT_OTHER, EINVAL, "'--aux-sample': a "
					  "sample of %s does not fit into a buffer of %s for "
					  "'--pt': give a larger one with '-m ,SIZE'",
					  fargs_size_exact(sample, size, sizeof(size)),
					  fargs_size_exact(bytes, room, sizeof(room)));
	*aux_bytes = bytes;
	*snapshot_bytes = snapshot ? snapshot : bytes;
	return 0;
}

static int choose_cpus(struct fargs_pt *pt, const struct fargs_capture_request *r,
		       unsigned int nr, struct fargs_capture_error *err)
{
	size_t i;

	if (!r->cpus.nr)
		return 0;
	pt->cpus = calloc(nr, sizeof(*pt->cpus));
	if (!pt->cpus)
		return fargs_fail(&err->text, ENOMEM, "no memory for Intel PT");
	/* Parsing cannot fail, because the request's CPU lists were checked before. */
	for (i = 0; i < r->cpus.nr; i++)
		fargs_cpus_parse(r->cpus.words[i], pt->cpus, nr);
	pt->options.cpus = pt->cpus;
	return 0;
}

static void pass_line(void *arg, const char *text)
{
	const struct fargs_capture_hooks *hooks = arg;
	const struct fargs_capture_note note = { FARGS_NOTE_LINE, text, 0, 0 };

	hooks->note(hooks->arg, &note);
}

/* Reports the sizes of the buffers of each CPU. */
static void log_sizes(const struct fargs_pt *pt, const struct fargs_pt_log *log)
{
	char line[128], size[32];

	snprintf(line, sizeof(line), "Intel PT AUX area of each CPU: %s (%llu pages)",
		 fargs_size_exact(pt->options.aux_bytes, size, sizeof(size)),
		 (unsigned long long)pt->options.aux_bytes / sysconf(_SC_PAGESIZE));
	log->line(log->arg, line);
	if (!pt->options.is_snapshot)
		return;
	snprintf(line, sizeof(line), "Intel PT snapshot size: %llu",
		 (unsigned long long)pt->options.snapshot_bytes);
	log->line(log->arg, line);
}

int fargs_pt_start(struct fargs_pt *pt, const struct fargs_capture_request *r,
		   pid_t command, const struct fargs_meta *meta, const struct fargs_pt_sink *sink,
		   const struct fargs_capture_hooks *hooks, struct fargs_capture_error *err)
{
	int ret;

	if (!r->has_pt)
		return 0;
	pt->sink = *sink;
	pt->options.pmu = &pt->pmu;
	pt->options.terms = &pt->terms;
	pt->options.nr_cpus = meta->info.nr_cpus;
	pt->options.ksyms = meta->ksyms;
	pt->options.is_snapshot = r->flight.is_on;
	pt->options.has_maps = pt->terms.is_user;
	pt->options.has_code = pt->terms.is_kernel;
	ret = fargs_pt_sizes(r, meta->info.nr_cpus, &pt->options.aux_bytes,
			     &pt->options.snapshot_bytes, err);
	if (!ret)
		ret = choose_cpus(pt, r, meta->info.nr_cpus, err);
	if (!ret)
		ret = fargs_pt_tasks_choose(&pt->tasks, r, command, &err->text);
	if (ret)
		return ret;
	pt->options.tasks = pt->tasks.tasks;
	fargs_pt_samples_warn(pt, hooks);
	if (r->has_pt_log) {
		pt->options.log = (struct fargs_pt_log){ pass_line, (void *)hooks };
		log_sizes(pt, &pt->options.log);
	}
	ret = fargs_pt_filter_resolve(pt, r, meta, hooks, err);
	if (ret)
		return ret;
	pt->recorder = fargs_pt_recorder_open(&pt->options, &pt->sink, &err->text);
	return pt->recorder ? fargs_pt_recorder_start(pt->recorder, &err->text) : -EINVAL;
}

int fargs_pt_finish(struct fargs_pt *pt, bool has_more, struct fargs_error_text *err)
{
	int ret = 0;

	if (!pt->recorder)
		return 0;
	if (has_more)
		ret = pt->options.is_snapshot ? fargs_pt_recorder_keep(pt->recorder, err) :
						fargs_pt_recorder_read(pt->recorder, err);
	return ret ? ret : fargs_pt_recorder_finish(pt->recorder, err);
}

void fargs_pt_sum_up(const struct fargs_pt *pt, struct fargs_pt_outcome *outcome)
{
	const struct fargs_file_pt_stats *stats = fargs_pt_recorder_stats(pt->recorder);
	unsigned int i;

	*outcome = (struct fargs_pt_outcome){
		.terms = pt->terms.text, .is_sampled = pt->options.is_sampled,
		.text_bytes = fargs_pt_recorder_text_bytes(pt->recorder),
	};
	for (i = 0; i < pt->options.nr_cpus; i++) {
		outcome->aux_bytes += stats[i].aux_bytes;
		outcome->nr_truncated += stats[i].nr_truncated;
		outcome->nr_partial += stats[i].nr_partial;
		outcome->nr_collisions += stats[i].nr_collisions;
		outcome->nr_samples += stats[i].nr_samples;
		outcome->nr_lost_samples += stats[i].nr_lost_samples;
		outcome->nr_lost += stats[i].nr_lost[FARGS_PT_RING_PT] +
				    stats[i].nr_lost[FARGS_PT_RING_SIDE];
	}
}

void fargs_pt_deinit(struct fargs_pt *pt)
{
	fargs_pt_recorder_close(pt->recorder);
	fargs_pt_filters_deinit(&pt->filters);
	free(pt->filter);
	fargs_event_selection_deinit(&pt->pause);
	fargs_event_selection_deinit(&pt->resume);
	free(pt->actions);
	free(pt->samplers);
	free(pt->action_names);
	free(pt->cpus);
	fargs_pt_tasks_deinit(&pt->tasks);
	*pt = (struct fargs_pt){ };
}
