// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "kernel/cpus.h"
#include "source/pt/capture/attr.h"
#include "source/pt/capture/config.h"
#include "source/pt/capture/copy.h"
#include "source/pt/capture/copy_events.h"
#include "source/pt/capture/cpu.h"
#include "source/pt/capture/maps.h"
#include "source/pt/capture/mono.h"
#include "source/pt/capture/tracepoints.h"

struct fargs_pt_recorder {
	const struct fargs_pt_options *options;
	const struct fargs_pt_sink *sink;
	struct fargs_pt_request request;
	struct fargs_pt_tracepoints tracepoints;
	struct fargs_pt_copy *copy;
	struct fargs_pt_code_events code_events;
	bool is_on;
	bool is_held;			/* between fargs_pt_recorder_hold() and _go_on() */
	bool *online;			/* CPUs that were online at the last check */
	bool *now_online;
	struct fargs_pt_cpu *cpus;	/* options->nr_cpus elements */
	struct fargs_file_pt_stats *stats;	/* each CPU's totals over all finished files */
	bool is_new_file;		/* the current file contains no trace yet */
	struct fargs_pt_mono_writer mono;
};

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "no memory for Intel PT");
}

static bool is_wanted(const struct fargs_pt_recorder *r, unsigned int cpu)
{
	return !r->options->cpus || r->options->cpus[cpu];
}

/* Raises the limit of open files: each CPU needs several file descriptors. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Opens the events of a CPU. If the CPU has gone offline, opens none and clears *@online. */
static int open_cpu(struct fargs_pt_recorder *r, unsigned int i, bool *online,
		    struct fargs_error_text *err)
{
	int ret = fargs_pt_cpu_open(&r->cpus[i], i, &r->request, err);

	if (ret != -ENODEV)
		return ret;
	fargs_pt_cpu_close(&r->cpus[i]);
	*online = false;
	return 0;
}

static int open_cpus(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	unsigned int i, nr = 0;
	int ret = fargs_cpus_online(r->online, r->options->nr_cpus);

	if (ret)
		return fargs_fail(err, -ret, "cannot read the list of online CPUs");
	for (i = 0; !ret && i < r->options->nr_cpus; i++) {
		if (!is_wanted(r, i) || !r->online[i])
			continue;
		ret = open_cpu(r, i, &r->online[i], err);
		nr += r->online[i];
	}
	if (!ret && !nr)
		ret = fargs_fail(err, EINVAL, "'--cpu': none of these CPUs is online");
	return ret;
}

static int read_cpu(struct fargs_pt_recorder *r, unsigned int i, struct fargs_error_text *err)
{
	return fargs_pt_cpu_read(&r->cpus[i], r->sink, &r->code_events, err);
}

static int read_cpus(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < r->options->nr_cpus; i++)
		ret = read_cpu(r, i, err);
	return ret;
}

/* Reads the buffers while code is being copied. New code events are handled after the copy. */
static int read_meanwhile(void *arg, struct fargs_error_text *err)
{
	struct fargs_pt_recorder *r = arg;

	return r->is_on ? read_cpus(r, err) : 0;
}

static int open_all(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	const struct fargs_pt_options *o = r->options;
	const struct fargs_pt_meanwhile meanwhile = { read_meanwhile, r };
	unsigned int i, j;

	r->cpus = calloc(o->nr_cpus, sizeof(*r->cpus));
	r->stats = calloc(o->nr_cpus, sizeof(*r->stats));
	r->online = calloc(o->nr_cpus, sizeof(*r->online));
	r->now_online = calloc(o->nr_cpus, sizeof(*r->now_online));
	if (!r->cpus || !r->stats || !r->online || !r->now_online) {
		free(r->cpus);
		r->cpus = NULL;
		return no_memory(err);
	}
	for (i = 0; i < o->nr_cpus; i++) {
		r->cpus[i].request = &r->request;
		for (j = 0; j < FARGS_PT_RINGS; j++)
			r->cpus[i].fds[j] = -1;
		for (j = 0; j < FARGS_PT_TRACEPOINTS; j++)
			r->cpus[i].tracepoint_fds[j] = -1;
	}
	r->request = (struct fargs_pt_request){
		.pmu = o->pmu, .terms = o->terms, .filter = o->filter, .aux_bytes = o->aux_bytes,
		.is_snapshot = o->is_snapshot, .snapshot_bytes = o->snapshot_bytes, .log = o->log,
		.actions = o->actions, .nr_actions = o->nr_actions,
		.is_start_paused = o->is_start_paused, .tasks = o->tasks,
		.is_sampled = o->is_sampled, .samplers = o->samplers, .nr_samplers = o->nr_samplers,
		.sample_ring_bytes = o->sample_ring_bytes,
	};
	fargs_pt_tracepoints_find(&r->tracepoints);
	r->request.tracepoints = &r->tracepoints;
	r->code_events.load_id = r->tracepoints.load_id;
	r->code_events.free_id = r->tracepoints.free_id;
	raise_limit();
	if (o->has_code) {
		r->copy = fargs_pt_copy_create(o->ksyms, &meanwhile, err);
		if (!r->copy)
			return -EIO;
	}
	return open_cpus(r, err);
}

struct fargs_pt_recorder *fargs_pt_recorder_open(const struct fargs_pt_options *o,
						 const struct fargs_pt_sink *sink,
						 struct fargs_error_text *err)
{
	struct fargs_pt_recorder *r = calloc(1, sizeof(*r));

	if (!r) {
		no_memory(err);
		return NULL;
	}
	r->options = o;
	r->sink = sink;
	if (open_all(r, err)) {
		fargs_pt_recorder_close(r);
		return NULL;
	}
	return r;
}

void fargs_pt_recorder_close(struct fargs_pt_recorder *r)
{
	unsigned int i;

	if (!r)
		return;
	for (i = 0; r->cpus && i < r->options->nr_cpus; i++)
		fargs_pt_cpu_close(&r->cpus[i]);
	if (r->copy)
		fargs_pt_copy_destroy(r->copy);
	fargs_pt_code_events_deinit(&r->code_events);
	free(r->cpus);
	free(r->stats);
	free(r->online);
	free(r->now_online);
	free(r);
}

static int write_config(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	__cleanup_free char *texts = NULL;
	const struct fargs_pt_terms *terms = r->options->terms;
	struct fargs_file_pt_config config;
	struct iovec iov[2] = { { &config, sizeof(config) } };
	unsigned int i;

	fargs_pt_config_init(&config, r->options->pmu, terms, r->options->filter,
			     r->options->aux_bytes);
	iov[1].iov_len = (size_t)config.terms_bytes + config.filter_bytes;
	texts = malloc(iov[1].iov_len);
	if (!texts)
		return no_memory(err);
	memcpy(texts, terms->text, config.terms_bytes);
	if (config.filter_bytes)
		memcpy(texts + config.terms_bytes, r->options->filter, config.filter_bytes);
	iov[1].iov_base = texts;
	if (r->options->is_snapshot)
		config.flags |= FARGS_PT_SNAPSHOT;
	if (r->options->is_sampled)
		config.flags |= FARGS_PT_SAMPLED;
	if (r->options->nr_samplers)
		config.events[FARGS_PT_RING_PT].sample_type = FARGS_PT_SAMPLES_TYPE;
	for (i = 0; i < r->options->nr_cpus; i++)
		if (r->cpus[i].aux)
			break;
	if (i < r->options->nr_cpus)
		fargs_pt_cpu_time(&r->cpus[i], &config);
	return r->sink->chunk(r->sink->arg, FARGS_CHUNK_PT_CONFIG, FARGS_CHUNK_NO_CPU, iov, false,
			      err);
}

static int switch_all(struct fargs_pt_recorder *r, bool is_on, struct fargs_error_text *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < r->options->nr_cpus; i++)
		ret = fargs_pt_cpu_switch(&r->cpus[i], is_on, err);
	return ret;
}

static int begin_file(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	int ret = write_config(r, err);

	r->is_new_file = true;
	if (!ret && r->options->nr_samplers)
		ret = fargs_pt_samplers_write(r->options->samplers, r->options->nr_samplers,
					      r->sink, err);
	if (!ret && r->options->has_maps)
		ret = fargs_pt_maps_write(&r->options->tasks, r->sink, err);
	if (!ret && r->options->has_maps)
		ret = fargs_pt_mono_write(&r->mono, r->sink, err);
	return ret || !r->copy ? ret : fargs_pt_copy_all(r->copy, r->sink, err);
}

int fargs_pt_recorder_start(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	unsigned int i;
	int ret = 0;

	/* Enable sideband events first: they report changes of code during and after the copy. */
	for (i = 0; !ret && i < r->options->nr_cpus; i++)
		ret = fargs_pt_cpu_switch_side(&r->cpus[i], true, err);
	if (!ret)
		ret = begin_file(r, err);
	r->is_on = true;
	return ret ? ret : switch_all(r, true, err);
}

int fargs_pt_recorder_stop(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	unsigned int i;
	int ret;

	r->is_on = false;
	ret = switch_all(r, false, err);
	for (i = 0; !ret && i < r->options->nr_cpus; i++)
		ret = fargs_pt_cpu_switch_side(&r->cpus[i], false, err);
	return ret;
}

int fargs_pt_recorder_hold(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	r->is_held = true;
	return switch_all(r, false, err);
}

int fargs_pt_recorder_go_on(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	r->is_held = false;
	return switch_all(r, true, err);
}

int fargs_pt_recorder_keep(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	unsigned int i;
	int ret = fargs_pt_recorder_read(r, err);

	for (i = 0; !ret && i < r->options->nr_cpus; i++)
		ret = fargs_pt_cpu_keep(&r->cpus[i], r->is_new_file, r->sink, err);
	r->is_new_file = false;
	return ret;
}

int fargs_pt_recorder_split(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	if (r->copy)
		fargs_pt_copy_forget(r->copy);
	return begin_file(r, err);
}

/*
 * Opens new events for a CPU that is back online: the kernel removed the old ones when it went
 * offline.
 */
static int reopen_cpu(struct fargs_pt_recorder *r, unsigned int i, struct fargs_error_text *err)
{
	struct fargs_pt_cpu *cpu = &r->cpus[i];
	int ret = read_cpu(r, i, err);

	if (ret)
		return ret;
	fargs_pt_cpu_close(cpu);
	ret = open_cpu(r, i, &r->now_online[i], err);
	if (ret || !r->now_online[i])
		return ret;
	ret = fargs_pt_cpu_switch_side(cpu, true, err);
	return ret || r->is_held ? ret : fargs_pt_cpu_switch(cpu, true, err);
}

static int follow_cpus(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	unsigned int i;
	int ret = fargs_cpus_online(r->now_online, r->options->nr_cpus);

	if (ret)
		return fargs_fail(err, -ret, "cannot read the list of online CPUs");
	for (i = 0; !ret && i < r->options->nr_cpus; i++)
		if (is_wanted(r, i) && r->now_online[i] && !r->online[i])
			ret = reopen_cpu(r, i, err);
	memcpy(r->online, r->now_online, r->options->nr_cpus * sizeof(*r->online));
	return ret;
}

int fargs_pt_recorder_read(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	int ret = r->is_on ? follow_cpus(r, err) : 0;

	if (!ret && r->is_on && r->options->has_maps)
		ret = fargs_pt_mono_update(&r->mono, r->sink, err);
	if (!ret)
		ret = read_cpus(r, err);
	return ret ? ret : fargs_pt_copy_code_events(r->copy, &r->code_events, r->sink, err);
}

/* Returns @total minus @before, and sets @before to @total. */
static struct fargs_file_pt_stats stats_since(struct fargs_file_pt_stats *before,
					      const struct fargs_file_pt_stats *total)
{
	struct fargs_file_pt_stats d = *total;
	size_t i;

	d.aux_bytes -= before->aux_bytes;
	d.nr_truncated -= before->nr_truncated;
	d.nr_partial -= before->nr_partial;
	d.nr_collisions -= before->nr_collisions;
	d.nr_samples -= before->nr_samples;
	d.nr_lost_samples -= before->nr_lost_samples;
	for (i = 0; i < FARGS_PT_RINGS; i++)
		d.nr_lost[i] -= before->nr_lost[i];
	*before = *total;
	return d;
}

int fargs_pt_recorder_finish(struct fargs_pt_recorder *r, struct fargs_error_text *err)
{
	unsigned int i, nr = r->options->nr_cpus;
	struct fargs_file_pt_stats *stats = calloc(nr, sizeof(*stats));
	struct iovec iov[2] = { { stats, nr * sizeof(*stats) } };
	int ret;

	if (!stats)
		return no_memory(err);
	for (i = 0; i < nr; i++) {
		fargs_pt_cpu_count(&r->cpus[i]);
		stats[i] = stats_since(&r->stats[i], &r->cpus[i].stats);
	}
	ret = r->options->has_maps ? fargs_pt_mono_write(&r->mono, r->sink, err) : 0;
	if (!ret)
		ret = r->sink->chunk(r->sink->arg, FARGS_CHUNK_PT_STATS, FARGS_CHUNK_NO_CPU, iov,
				     false, err);
	free(stats);
	return ret;
}

size_t fargs_pt_recorder_poll(const struct fargs_pt_recorder *r, struct pollfd *fds, size_t room)
{
	unsigned int i, ring;
	size_t nr = 0;
	int fd;

	for (i = 0; i < r->options->nr_cpus; i++) {
		/* The events of an offline CPU would always report POLLHUP. */
		if (!r->online[i] || !r->cpus[i].aux)
			continue;
		for (ring = 0; ring < FARGS_PT_RINGS && nr < room; ring++) {
			fd = r->cpus[i].fds[ring];
			if (r->options->tasks.nr)
				fd = fargs_pt_task_events_poll(fd, &r->cpus[i].more[ring]);
			fds[nr++] = (struct pollfd){ .fd = fd, .events = POLLIN };
		}
	}
	return nr;
}

const struct fargs_file_pt_stats *fargs_pt_recorder_stats(const struct fargs_pt_recorder *r)
{
	return r->stats;
}

uint64_t fargs_pt_recorder_text_bytes(const struct fargs_pt_recorder *r)
{
	return r->copy ? fargs_pt_copy_bytes(r->copy) : 0;
}
