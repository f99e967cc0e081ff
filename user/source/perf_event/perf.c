// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_event/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include "kernel/cpus.h"
#include "kernel/perf_ring.h"
#include "source/perf_event/filter.h"
#include "source/perf_event/queue.h"
#include "source/perf_event/sample.h"
#include "source/perf_event/state.h"

/* Raises the limit of open files, because each event needs a file descriptor per task and CPU. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_all(struct fargs_perf *p, struct fargs_error_text *err)
{
	unsigned int nr = p->options->nr_cpus, i;
	bool *online;
	int ret;

	p->is_refused = calloc(p->selection->nr + 1, sizeof(*p->is_refused));
	p->cpus = calloc(nr, sizeof(*p->cpus));
	online = calloc(nr, sizeof(*online));
	if (!p->options->nr_tasks)
		p->others = fargs_perf_exclude_self();
	if (!p->is_refused || !p->cpus || !online || (!p->options->nr_tasks && !p->others)) {
		free(online);
		return fargs_fail(err, ENOMEM, "no memory for events");
	}
	raise_limit();
	ret = fargs_cpus_online(online, nr);
	if (ret)
		fargs_fail(err, -ret, "cannot read the list of online CPUs");
	for (i = 0; i < nr; i++) {
		p->cpus[i].is_wanted = !p->options->cpus || p->options->cpus[i];
		p->cpus[i].is_online = online[i];
	}
	free(online);
	for (i = 0; !ret && i < nr; i++)
		/*
		 * Events of single tasks can be opened on offline CPUs, but not events of all
		 * tasks.
		 */
		if (p->cpus[i].is_wanted && (p->cpus[i].is_online || p->options->nr_tasks))
			ret = fargs_perf_open_cpu(p, i, err);
	return ret;
}

/* Counts refused events. Fails if all events were refused. */
static int count_refused(const struct fargs_perf *p, size_t *nr, struct fargs_error_text *err)
{
	size_t i;

	*nr = 0;
	for (i = 0; i < p->selection->nr; i++)
		*nr += p->is_refused[i];
	return *nr && *nr == p->selection->nr ? fargs_fail(err, EINVAL, "%s", p->refusal.text) : 0;
}

struct fargs_perf *fargs_perf_open(const struct fargs_event_selection *c,
				   const struct fargs_perf_options *o, size_t *nr_refused,
				   struct fargs_error_text *err)
{
	struct fargs_perf *p = calloc(1, sizeof(*p));

	if (!p) {
		fargs_fail(err, ENOMEM, "no memory for events");
		return NULL;
	}
	p->selection = c;
	p->options = o;
	if (open_all(p, err) || count_refused(p, nr_refused, err)) {
		fargs_perf_close(p);
		return NULL;
	}
	return p;
}

void fargs_perf_close(struct fargs_perf *p)
{
	unsigned int i;

	if (!p)
		return;
	for (i = 0; p->cpus && i < p->options->nr_cpus; i++) {
		fargs_perf_close_cpu(&p->cpus[i]);
		fargs_event_queue_deinit(&p->cpus[i].queue);
	}
	free(p->cpus);
	free(p->is_refused);
	free(p->others);
	free(p);
}

static int switch_fd(int fd, bool is_on, struct fargs_error_text *err)
{
	if (!ioctl(fd, is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0))
		return 0;
	return fargs_fail(err, errno, "cannot %s events: %s", is_on ? "start" : "stop",
			  strerror(errno));
}

static int switch_cpu(const struct fargs_perf_cpu *cpu, bool is_on, struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < cpu->nr_fds; i++)
		ret = switch_fd(cpu->fds[i], is_on, err);
	return ret;
}

static int switch_all(struct fargs_perf *p, bool is_on, struct fargs_error_text *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < p->options->nr_cpus; i++)
		ret = switch_cpu(&p->cpus[i], is_on, err);
	return ret;
}

int fargs_perf_start(struct fargs_perf *p, struct fargs_error_text *err)
{
	p->is_running = true;
	return p->options->is_on_exec ? 0 : switch_all(p, true, err);
}

int fargs_perf_stop(struct fargs_perf *p, struct fargs_error_text *err)
{
	p->is_running = false;
	return switch_all(p, false, err);
}

/* Switches all events of @cpu but those that report names of tasks. */
static int pause_cpu(const struct fargs_perf_cpu *cpu, bool is_paused,
		     struct fargs_error_text *err)
{
	size_t i, name = 0;
	int ret = 0;

	for (i = 0; !ret && i < cpu->nr_fds; i++) {
		if (name < cpu->nr_names && cpu->names[name] == i)
			name++;
		else
			ret = switch_fd(cpu->fds[i], !is_paused, err);
	}
	return ret;
}

int fargs_perf_pause(struct fargs_perf *p, bool is_paused, struct fargs_error_text *err)
{
	unsigned int i;
	int ret = 0;

	p->is_paused = is_paused;
	for (i = 0; !ret && i < p->options->nr_cpus; i++)
		ret = pause_cpu(&p->cpus[i], is_paused, err);
	return ret;
}

size_t fargs_perf_poll(const struct fargs_perf *p, struct pollfd *fds, size_t room)
{
	size_t nr = 0;
	unsigned int i;

	for (i = 0; i < p->options->nr_cpus && nr < room; i++)
		if (p->cpus[i].polled < p->cpus[i].nr_fds &&
		    (p->cpus[i].is_online || p->options->nr_tasks))
			fds[nr++] = (struct pollfd){ .fd = p->cpus[i].fds[p->cpus[i].polled],
						     .events = POLLIN };
	return nr;
}

/*
 * Returns whether poll(2) reports only an error or hangup for @fd: its task has ended, or its CPU
 * has gone offline.
 */
static bool has_hung_up(const struct pollfd *fd)
{
	return fd->revents & (POLLHUP | POLLERR | POLLNVAL) && !(fd->revents & POLLIN);
}

static void poll_another(struct fargs_perf_cpu *cpu)
{
	struct pollfd fd = { .events = POLLIN };

	do {
		if (++cpu->polled == cpu->nr_fds)
			return;
		fd.fd = cpu->fds[cpu->polled];
	} while (poll(&fd, 1, 0) == 1 && has_hung_up(&fd));
}

void fargs_perf_polled(struct fargs_perf *p, const struct pollfd *fds, size_t nr)
{
	unsigned int i;
	size_t k = 0;

	for (i = 0; i < p->options->nr_cpus && k < nr; i++) {
		struct fargs_perf_cpu *cpu = &p->cpus[i];

		if (cpu->polled == cpu->nr_fds || cpu->fds[cpu->polled] != fds[k].fd)
			continue;
		if (has_hung_up(&fds[k++]))
			poll_another(cpu);
	}
}

void fargs_perf_set_offset(struct fargs_perf *p, int64_t offset_ns)
{
	p->offset_ns = offset_ns;
}

/* Argument of take_record(): where the kernel's records are added. */
struct reading {
	struct fargs_perf *p;
	struct fargs_perf_cpu *cpu;
};

static int take_record(void *arg, const void *record, size_t bytes)
{
	struct reading *r = arg;
	struct fargs_record *rec = (void *)r->p->record;
	int ret = fargs_sample_read(record, bytes, rec, &r->cpu->lost_reported);

	rec->tsc += r->p->offset_ns;
	return ret > 0 ? fargs_event_queue_add(&r->cpu->queue, rec) : ret;
}

static int read_ring(struct fargs_perf *p, struct fargs_perf_cpu *cpu)
{
	struct reading r = { p, cpu };

	return fargs_perf_ring_read(&cpu->ring, take_record, &r);
}

int fargs_perf_read(struct fargs_perf *p, bool is_last, fargs_perf_fn fn, void *arg)
{
	const void *records;
	unsigned int i;
	size_t bytes;
	int ret = 0;

	for (i = 0; !ret && i < p->options->nr_cpus; i++) {
		ret = read_ring(p, &p->cpus[i]);
		if (!ret)
			ret = fargs_event_queue_take(&p->cpus[i].queue, is_last, &records, &bytes);
		if (!ret && bytes)
			ret = fn(arg, i, records, bytes);
	}
	return ret;
}

uint64_t fargs_perf_held_ns(const struct fargs_perf *p)
{
	uint64_t held_ns = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < p->options->nr_cpus; i++) {
		const struct fargs_event_queue *q = &p->cpus[i].queue;

		if (q->nr && q->order[0].ns < held_ns)
			held_ns = q->order[0].ns;
	}
	return held_ns;
}

/*
 * Opens new events for a CPU that is online again: the kernel removed the old ones when the CPU
 * went offline.
 */
static int reopen(struct fargs_perf *p, unsigned int i, struct fargs_error_text *err)
{
	int ret = read_ring(p, &p->cpus[i]);

	if (ret)
		return fargs_fail(err, -ret, "the buffer for events of CPU %u is corrupt", i);
	fargs_perf_close_cpu(&p->cpus[i]);
	ret = fargs_perf_open_cpu(p, i, err);
	if (!ret && p->is_running)
		ret = switch_cpu(&p->cpus[i], true, err);
	return ret || !p->is_paused ? ret : pause_cpu(&p->cpus[i], true, err);
}

int fargs_perf_follow_cpus(struct fargs_perf *p, fargs_perf_cpu_fn fn, void *arg,
			   struct fargs_error_text *err)
{
	unsigned int i, nr = p->options->nr_cpus;
	bool *online;
	int ret;

	if (p->options->nr_tasks)
		return 0;
	online = calloc(nr, sizeof(*online));
	if (!online)
		return fargs_fail(err, ENOMEM, "no memory for events");
	ret = fargs_cpus_online(online, nr);
	if (ret)
		fargs_fail(err, -ret, "cannot read the list of online CPUs");
	for (i = 0; !ret && i < nr; i++) {
		struct fargs_perf_cpu *cpu = &p->cpus[i];

		if (!cpu->is_wanted || online[i] == cpu->is_online)
			continue;
		cpu->is_online = online[i];
		fn(arg, i, online[i]);
		if (online[i])
			ret = reopen(p, i, err);
		if (online[i] && !cpu->is_online)
			fn(arg, i, false);
	}
	free(online);
	return ret;
}

struct fargs_event_stats *fargs_perf_stats(struct fargs_perf *p)
{
	unsigned int i, nr = p->options->nr_cpus;
	struct fargs_event_stats *stats = calloc(nr, sizeof(*stats));

	for (i = 0; stats && i < nr; i++) {
		const struct fargs_perf_cpu *cpu = &p->cpus[i];

		stats[i].lost = cpu->lost + fargs_perf_read_lost(cpu);
		if (stats[i].lost < cpu->lost_reported)
			stats[i].lost = cpu->lost_reported;
		stats[i].lost_pending = stats[i].lost - cpu->lost_reported;
	}
	return stats;
}
