// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_event/perf.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel/perf_ring.h"
#include "source/perf_event/queue.h"
#include "source/perf_event/sample.h"
#include "model/event_record.h"
#include "base/file.h"

/* Linux 5.13; the headers of Debian 12 have it. */
_Static_assert(sizeof(struct perf_event_attr) >= PERF_ATTR_SIZE_VER7, "inherit_thread");

struct cpu {
	bool is_wanted;
	bool is_online;
	int *fds;		/* nr_fds of them: the first one has the buffer, for all */
	size_t nr_fds;
	size_t polled;		/* of fds; nr_fds: of all the tasks have ended */
	struct fargs_perf_ring ring;
	struct fargs_event_queue queue;
	uint64_t told;		/* lost, by records that were read */
	uint64_t lost;		/* by the counters of those that are closed */
};

struct fargs_perf {
	const struct fargs_event_choice *choice;
	const struct fargs_perf_options *options;
	bool *is_refused;	/* by pick: as was found with the first task and CPU */
	bool is_settled;	/* no other one is */
	struct fargs_error_text refusal;	/* of the last one */
	char *others;		/* "common_pid != N && …": not ourselves; NULL: of some tasks */
	bool is_running;
	int64_t offset_ns;	/* of all times */
	uint64_t record[(FARGS_EVENT_RECORD_MAX + 7) / 8];
	struct cpu *cpus;
};

static int perf_event_open(const struct perf_event_attr *attr, pid_t tid, int cpu, int output)
{
	return syscall(SYS_perf_event_open, attr, tid, cpu, output, PERF_FLAG_FD_CLOEXEC |
		       (output >= 0 ? PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT : 0));
}

/* The CPUs that are online, in @online of @nr. */
static int read_online(bool *online, unsigned int nr)
{
	char text[4096], *p = text;
	unsigned long from, to;
	int ret = fargs_file_line("/sys/devices/system/cpu/online", text, sizeof(text));

	memset(online, 0, nr * sizeof(*online));
	while (!ret && *p) {
		from = strtoul(p, &p, 10);
		to = from;
		if (*p == '-')
			to = strtoul(p + 1, &p, 10);
		for (; from <= to && from < nr; from++)
			online[from] = true;
		if (*p == ',')
			p++;
		else if (*p)
			return -EIO;
	}
	return ret;
}

/* All threads of this process: what they do is no part of what is looked at. */
static char *exclude_self(void)
{
	DIR *dir = opendir("/proc/self/task");
	const char *and = "";
	struct dirent *entry;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out || !dir) {
		if (out)
			fclose(out);
		if (dir)
			closedir(dir);
		free(text);
		return NULL;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		fprintf(out, "%scommon_pid != %s", and, entry->d_name);
		and = " && ";
	}
	closedir(dir);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static void set_attr(const struct fargs_perf *p, struct perf_event_attr *attr)
{
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.sample_type = FARGS_SAMPLE_TYPE,
		.read_format = PERF_FORMAT_LOST,
		.sample_id_all = 1,
		.disabled = 1,
		.watermark = 1,
		.use_clockid = p->options->is_monotonic,
		.clockid = p->options->is_monotonic ? CLOCK_MONOTONIC : 0,
		.wakeup_watermark = p->options->ring_bytes / 4,
	};
}

static void set_inherit(struct perf_event_attr *attr, const struct fargs_perf_task *task)
{
	attr->inherit = task && task->inherit != FARGS_PERF_ALONE;
	attr->inherit_thread = task && task->inherit == FARGS_PERF_THREADS;
}

static int fail_open(const struct fargs_event_pick *pick, int code, struct fargs_error_text *err)
{
	const char *system = pick ? pick->event->system : "task";
	const char *name = pick ? pick->event->name : "names";

	switch (code) {
	case EACCES:
	case EPERM:
		return fargs_fail(err, code, "recording %s:%s is not permitted: it needs "
				  "CAP_PERFMON (run as root) and a kernel that is not locked down",
				  system, name);
	case EMFILE:
	case ENFILE:
		return fargs_fail(err, code, "recording %s:%s: too many open files: choose fewer "
				  "events, CPUs or tasks, or raise the limit (ulimit -n)", system,
				  name);
	default:
		return fargs_fail(err, code, "cannot record %s:%s: %s", system, name,
				  strerror(code));
	}
}

/* The conditions that all have to hold; free() it. NULL: no memory. */
static char *join_filters(const char *const *filters, size_t nr)
{
	const char *and = "";
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; out && i < nr; i++) {
		if (!filters[i])
			continue;
		fprintf(out, "%s(%s)", and, filters[i]);
		and = " && ";
	}
	if (out && !fclose(out))
		return text;
	free(text);
	return NULL;
}

static int fail_filter(const struct fargs_perf *p, const struct fargs_event_pick *pick,
		       const char *text, int code, struct fargs_error_text *err)
{
	const char *filter = pick->filter ? pick->filter : text;
	char why[160];

	fargs_tracefs_complaint(p->choice->dir, pick->event, filter, why, sizeof(why));
	return fargs_fail(err, code, "--filter: %s:%s refuses '%s': %s", pick->event->system,
			  pick->event->name, filter, *why ? why : strerror(code));
}

static int set_filter(const struct fargs_perf *p, int fd, const struct fargs_event_pick *pick,
		      struct fargs_error_text *err)
{
	const char *const filters[] = { pick->filter, p->options->and_filter, p->others };
	char *text = join_filters(filters, 3);
	int ret = 0;

	if (!text)
		return fargs_fail(err, ENOMEM, "no memory for filters");
	if (*text && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text))
		ret = fail_filter(p, pick, text, errno, err);
	free(text);
	return ret;
}

static int add_fd(struct cpu *cpu, int fd, struct fargs_error_text *err)
{
	int *fds;

	/* Grows at each power of two: the count alone says how much room there is. */
	if (!(cpu->nr_fds & (cpu->nr_fds - 1))) {
		fds = realloc(cpu->fds, (cpu->nr_fds ? 2 * cpu->nr_fds : 1) * sizeof(*fds));
		if (!fds) {
			close(fd);
			return fargs_fail(err, ENOMEM, "no memory for events");
		}
		cpu->fds = fds;
	}
	cpu->fds[cpu->nr_fds++] = fd;
	return 0;
}

/* One event, of one task or of all, on one CPU. */
static int open_one(struct fargs_perf *p, unsigned int nr, const struct perf_event_attr *attr,
		    const struct fargs_perf_task *task, const struct fargs_event_pick *pick,
		    struct fargs_error_text *err)
{
	struct cpu *cpu = &p->cpus[nr];
	int fd = perf_event_open(attr, task ? task->tid : -1, nr, cpu->nr_fds ? cpu->fds[0] : -1);
	int ret;

	/* A task that has ended is none to look at, nor is a CPU that has gone. */
	if (fd < 0)
		return errno == ESRCH || (errno == ENODEV && !task) ? -errno :
		       fail_open(pick, errno, err);
	ret = add_fd(cpu, fd, err);
	if (ret || cpu->nr_fds > 1)
		return ret;
	ret = fargs_perf_ring_map(&cpu->ring, fd, p->options->ring_bytes);
	return ret ? fargs_fail(err, -ret, "there is no memory for a buffer of %llu bytes for "
				"events on each CPU: give a smaller one with -m",
				(unsigned long long)p->options->ring_bytes) : 0;
}

/* That which tells how tasks are called. */
static int open_names(struct fargs_perf *p, unsigned int nr, const struct fargs_perf_task *task,
		      struct fargs_error_text *err)
{
	struct perf_event_attr attr;

	set_attr(p, &attr);
	set_inherit(&attr, task);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.sample_period = 1;
	attr.comm = 1;
	attr.task = 1;
	return open_one(p, nr, &attr, task, NULL, err);
}

/* Some are not for perf: it would trace itself, or they are for one task only. */
static int refuse(struct fargs_perf *p, unsigned int nr, size_t i, int ret,
		  struct fargs_error_text *err)
{
	struct fargs_error_text why = *err;

	if (p->is_settled)
		return fargs_fail(err, -ret, "on CPU %u, and not where it was tried before: %s",
				  nr, why.text);
	p->is_refused[i] = true;
	p->refusal = why;
	return 0;
}

static int open_event(struct fargs_perf *p, unsigned int nr, const struct fargs_perf_task *task,
		      size_t i, struct fargs_error_text *err)
{
	const struct fargs_event_pick *pick = &p->choice->picks[i];
	struct cpu *cpu = &p->cpus[nr];
	struct perf_event_attr attr;
	size_t before = cpu->nr_fds;
	int ret;

	set_attr(p, &attr);
	set_inherit(&attr, task);
	attr.type = PERF_TYPE_TRACEPOINT;
	attr.config = pick->id;
	/* With PERIOD in it one sample a hit, also of events that weigh more than one. */
	attr.sample_period = 1;
	ret = open_one(p, nr, &attr, task, pick, err);
	if ((ret == -EINVAL || ret == -EOPNOTSUPP || ret == -ENOENT || ret == -EPERM ||
	     ret == -EACCES) && !pick->is_exact && cpu->nr_fds == before)
		return refuse(p, nr, i, ret, err);
	return ret ? ret : set_filter(p, cpu->fds[cpu->nr_fds - 1], pick, err);
}

/* All events of @task on a CPU. */
static int open_task(struct fargs_perf *p, unsigned int nr, const struct fargs_perf_task *task,
		     struct fargs_error_text *err)
{
	int ret = p->options->has_names ? open_names(p, nr, task, err) : 0;
	size_t i;

	for (i = 0; !ret && i < p->choice->nr; i++)
		if (!p->is_refused[i])
			ret = open_event(p, nr, task, i, err);
	p->is_settled |= !ret;
	return ret == -ESRCH ? 0 : ret;
}

/* What its events lost, as the kernel counted it. */
static uint64_t read_lost(const struct cpu *cpu)
{
	struct { uint64_t value, lost; } counts;
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < cpu->nr_fds; i++)
		if (read(cpu->fds[i], &counts, sizeof(counts)) == sizeof(counts))
			lost += counts.lost;
	return lost;
}

static void close_cpu(struct cpu *cpu)
{
	cpu->lost += read_lost(cpu);
	fargs_perf_ring_unmap(&cpu->ring);
	while (cpu->nr_fds)
		close(cpu->fds[--cpu->nr_fds]);
	free(cpu->fds);
	cpu->fds = NULL;
	cpu->polled = 0;
}

/* All events on a CPU; none, if it has gone since we looked. */
static int open_cpu(struct fargs_perf *p, unsigned int nr, struct fargs_error_text *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < p->options->nr_tasks; i++)
		ret = open_task(p, nr, &p->options->tasks[i], err);
	if (p->options->nr_tasks)
		return ret;
	ret = open_task(p, nr, NULL, err);
	if (ret != -ENODEV)
		return ret;
	close_cpu(&p->cpus[nr]);
	p->cpus[nr].is_online = false;
	return 0;
}

/* Each event takes a file for each task and CPU. */
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

	p->is_refused = calloc(p->choice->nr + 1, sizeof(*p->is_refused));
	p->cpus = calloc(nr, sizeof(*p->cpus));
	online = calloc(nr, sizeof(*online));
	if (!p->options->nr_tasks)
		p->others = exclude_self();
	if (!p->is_refused || !p->cpus || !online || (!p->options->nr_tasks && !p->others)) {
		free(online);
		return fargs_fail(err, ENOMEM, "no memory for events");
	}
	raise_limit();
	ret = read_online(online, nr);
	if (ret)
		fargs_fail(err, -ret, "cannot read which CPUs are online");
	for (i = 0; i < nr; i++) {
		p->cpus[i].is_wanted = !p->options->cpus || p->options->cpus[i];
		p->cpus[i].is_online = online[i];
	}
	free(online);
	for (i = 0; !ret && i < nr; i++)
		/* Events of tasks wait for CPUs; those of CPUs cannot. */
		if (p->cpus[i].is_wanted && (p->cpus[i].is_online || p->options->nr_tasks))
			ret = open_cpu(p, i, err);
	return ret;
}

/* All that could not be opened anywhere, and so none at all? */
static int count_refused(const struct fargs_perf *p, size_t *nr, struct fargs_error_text *err)
{
	size_t i;

	*nr = 0;
	for (i = 0; i < p->choice->nr; i++)
		*nr += p->is_refused[i];
	return *nr && *nr == p->choice->nr ? fargs_fail(err, EINVAL, "%s", p->refusal.text) : 0;
}

struct fargs_perf *fargs_perf_open(const struct fargs_event_choice *c,
				   const struct fargs_perf_options *o, size_t *nr_refused,
				   struct fargs_error_text *err)
{
	struct fargs_perf *p = calloc(1, sizeof(*p));

	if (!p) {
		fargs_fail(err, ENOMEM, "no memory for events");
		return NULL;
	}
	p->choice = c;
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
		close_cpu(&p->cpus[i]);
		fargs_event_queue_deinit(&p->cpus[i].queue);
	}
	free(p->cpus);
	free(p->is_refused);
	free(p->others);
	free(p);
}

static int switch_cpu(const struct cpu *cpu, bool is_on, struct fargs_error_text *err)
{
	size_t i;

	for (i = 0; i < cpu->nr_fds; i++)
		if (ioctl(cpu->fds[i], is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0))
			return fargs_fail(err, errno, "cannot %s events: %s",
					  is_on ? "start" : "stop", strerror(errno));
	return 0;
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
	return switch_all(p, true, err);
}

int fargs_perf_stop(struct fargs_perf *p, struct fargs_error_text *err)
{
	p->is_running = false;
	return switch_all(p, false, err);
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

/* Of a task that ended, or a CPU that went, there is nothing else, at once and for ever. */
static bool has_hung_up(const struct pollfd *fd)
{
	return fd->revents & (POLLHUP | POLLERR | POLLNVAL) && !(fd->revents & POLLIN);
}

static void poll_another(struct cpu *cpu)
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
		struct cpu *cpu = &p->cpus[i];

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

/* What a record of the kernel goes to. */
struct reading {
	struct fargs_perf *p;
	struct cpu *cpu;
};

static int take(void *arg, const void *record, size_t bytes)
{
	struct reading *r = arg;
	struct fargs_record *rec = (void *)r->p->record;
	int ret = fargs_sample_read(record, bytes, rec, &r->cpu->told);

	rec->tsc += r->p->offset_ns;
	return ret > 0 ? fargs_event_queue_add(&r->cpu->queue, rec) : ret;
}

static int read_ring(struct fargs_perf *p, struct cpu *cpu)
{
	struct reading r = { p, cpu };

	return fargs_perf_ring_read(&cpu->ring, take, &r);
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

/* The kernel has taken the events off a CPU that went: others are needed when it comes. */
static int reopen(struct fargs_perf *p, unsigned int i, struct fargs_error_text *err)
{
	int ret = read_ring(p, &p->cpus[i]);

	if (ret)
		return fargs_fail(err, -ret, "the buffer for events of CPU %u makes no sense", i);
	close_cpu(&p->cpus[i]);
	ret = open_cpu(p, i, err);
	return ret || !p->is_running ? ret : switch_cpu(&p->cpus[i], true, err);
}

int fargs_perf_follow_cpus(struct fargs_perf *p, fargs_perf_cpu_fn tell,
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
	ret = read_online(online, nr);
	if (ret)
		fargs_fail(err, -ret, "cannot read which CPUs are online");
	for (i = 0; !ret && i < nr; i++) {
		struct cpu *cpu = &p->cpus[i];

		if (!cpu->is_wanted || online[i] == cpu->is_online)
			continue;
		cpu->is_online = online[i];
		tell(i, online[i]);
		if (online[i])
			ret = reopen(p, i, err);
		if (online[i] && !cpu->is_online)
			tell(i, false);
	}
	free(online);
	return ret;
}

struct fargs_event_stats *fargs_perf_stats(struct fargs_perf *p)
{
	unsigned int i, nr = p->options->nr_cpus;
	struct fargs_event_stats *stats = calloc(nr, sizeof(*stats));

	for (i = 0; stats && i < nr; i++) {
		const struct cpu *cpu = &p->cpus[i];

		stats[i].lost = cpu->lost + read_lost(cpu);
		if (stats[i].lost < cpu->told)
			stats[i].lost = cpu->told;
		stats[i].lost_pending = stats[i].lost - cpu->told;
	}
	return stats;
}
