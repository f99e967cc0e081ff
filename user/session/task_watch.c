// SPDX-License-Identifier: GPL-2.0-only
#include "session/task_watch.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/machine.h"
#include "model/record.h"
#include "model/walk.h"
#include "session/device.h"
#include "session/nspid.h"
#include "session/rings.h"
#include "session/snapshot.h"

/*
 * A TASK record has 136 bytes, so each CPU's ring can hold almost 2000 records between two reads.
 */
#define RING_BYTES	(256u << 10)
#define NAMES_MAX	(256u << 10)
/*
 * The kernel changes a task's name right after writing its TASK record. An interrupt or preemption
 * of a virtual CPU can delay the change: for this long, /proc may still show the old name.
 */
#define LATE_MS		20

struct fargs_task_watch {
	int fd;
	struct fargs_info info;
	struct fargs_rings *rings;
	struct fargs_cpu_stats *stats;	/* one for each of info.nr_cpus CPUs */
	struct fargs_task_history *history;
	uint64_t begin_tsc;	/* TASK records are complete since this time */
	uint64_t nr_lost;	/* number of TASK records lost before the last read */
};

static bool is_there(pid_t tid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", tid);
	return !access(path, F_OK);
}

/* Returns the earliest time of a TASK record whose change /proc may not show yet. */
static uint64_t begin_tsc(const struct fargs_task_watch *w)
{
	return fargs_machine_clock() - (uint64_t)LATE_MS * w->info.tsc_khz;
}

static int start(struct fargs_task_watch *w, const pid_t *tids, size_t nr,
		 struct fargs_error_text *err)
{
	const pid_t own = getpid();
	int ret;

	w->fd = fargs_device_open(err);
	if (w->fd < 0)
		return w->fd;
	ret = fargs_device_info(w->fd, &w->info, err);
	if (!ret && !(w->info.features & FARGS_FEATURE_NO_FUNCS))
		ret = fargs_fail(err, ENOTSUP, "'--flight': this fargs.ko cannot report the names "
				 "of tasks: load the fargs.ko built with this program");
	if (!ret)
		ret = fargs_device_buffer(w->fd, RING_BYTES, FARGS_MODE_DROP, err);
	if (ret)
		return ret;
	w->rings = fargs_rings_map(w->fd, &w->info, RING_BYTES, err);
	w->stats = calloc(w->info.nr_cpus, sizeof(*w->stats));
	w->history = fargs_task_history_create(NAMES_MAX, is_there);
	if (!w->rings)
		return -EINVAL;
	if (!w->stats || !w->history)
		return fargs_fail(err, ENOMEM, "no memory for the names of tasks");
	ret = fargs_device_start(w->fd, nr ? tids : &own, nr ? nr : 1, 0, FARGS_START_NO_FUNCS |
				 (nr ? FARGS_START_TASKS : FARGS_START_EXCEPT), 0, err);
	w->begin_tsc = begin_tsc(w);
	return ret;
}

struct fargs_task_watch *fargs_task_watch_create(const pid_t *tids, size_t nr,
						 struct fargs_error_text *err)
{
	struct fargs_task_watch *w = calloc(1, sizeof(*w));

	if (!w) {
		fargs_fail(err, ENOMEM, "no memory for the names of tasks");
		return NULL;
	}
	if (start(w, tids, nr, err)) {
		fargs_task_watch_destroy(w);
		return NULL;
	}
	return w;
}

void fargs_task_watch_destroy(struct fargs_task_watch *w)
{
	if (!w)
		return;
	fargs_rings_destroy(w->rings);
	/* Closing the descriptor ends the session. */
	if (w->fd >= 0)
		close(w->fd);
	free(w->stats);
	fargs_task_history_destroy(w->history);
	free(w);
}

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "no memory for the names of tasks");
}

/* Adds a task found in /proc. @ns_tid: its id in its own pid namespace; 0: equal to its tid. */
static int add_found(struct fargs_task_watch *w, const struct fargs_task_start *from, pid_t ns_tid,
		     uint64_t end_tsc)
{
	struct fargs_task task = { .tid = from->tid, .tgid = from->tgid, .ns_tid = ns_tid };

	memcpy(task.comm, from->comm, sizeof(from->comm));
	return fargs_task_history_found(w->history, &task, w->begin_tsc, end_tsc);
}

int fargs_task_watch_found(struct fargs_task_watch *w, const struct fargs_meta *meta,
			   struct fargs_error_text *err)
{
	const uint64_t now = fargs_machine_clock();
	size_t i, at = 0;
	pid_t ns_tid;

	for (i = 0; i < meta->nr_tasks; i++) {
		ns_tid = 0;
		/*
		 * The array nspids is sorted like the array tasks, but lacks the tasks of the
		 * initial pid namespace.
		 */
		if (at < meta->nr_nspids && meta->nspids[at].tid == meta->tasks[i].tid)
			ns_tid = meta->nspids[at++].ns_tid;
		if (add_found(w, &meta->tasks[i], ns_tid, now))
			return no_memory(err);
	}
	return 0;
}

int fargs_task_watch_fd(const struct fargs_task_watch *w)
{
	return w->fd;
}

static int take_record(struct fargs_task_watch *w, const struct fargs_record *rec)
{
	struct fargs_task_change change;
	pid_t ns_tid = 0;

	if (rec->kind != FARGS_KIND_TASK)
		return 0;
	if (fargs_record_check(rec, rec->len, NULL) < 0 || fargs_tasks_read(rec, &change))
		return -EIO;
	if (change.new_tid)
		ns_tid = fargs_nspid_get(change.new_tid);
	return fargs_task_history_record(w->history, &change, rec->tsc, ns_tid,
					 fargs_machine_clock());
}

static int on_records(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	const char *p = records;
	size_t at, len;
	int ret = 0;

	for (at = 0; at < bytes && !ret; at += len) {
		len = fargs_walk_len(p + at, bytes - at);
		if (!len)
			return -EIO;
		ret = take_record(arg, (const void *)(p + at));
	}
	return ret;
}

static int read_rings(struct fargs_task_watch *w, struct fargs_error_text *err)
{
	unsigned int cpu;
	int ret = 0;

	for (cpu = 0; cpu < w->info.nr_cpus && !ret; cpu++)
		ret = fargs_rings_read(w->rings, cpu, on_records, w);
	if (ret == -ENOMEM)
		return no_memory(err);
	return ret ? fargs_fail(err, -ret, "the names of tasks in the ring of CPU %u are corrupt",
				cpu - 1) : 0;
}

static int count_lost(struct fargs_task_watch *w, uint64_t *nr, struct fargs_error_text *err)
{
	struct fargs_stats stats;
	unsigned int cpu;
	int ret = fargs_device_stats(w->fd, w->stats, w->info.nr_cpus, &stats, err);

	*nr = 0;
	for (cpu = 0; cpu < w->info.nr_cpus && !ret; cpu++)
		*nr += w->stats[cpu].lost_tasks;
	return ret;
}

/* Scans all tasks in /proc. */
static int look_around(struct fargs_task_watch *w, struct fargs_error_text *err)
{
	struct fargs_task_start *tasks;
	size_t nr, i;
	int ret;

	w->begin_tsc = begin_tsc(w);
	ret = fargs_snapshot_tasks(&tasks, &nr, err);
	if (ret)
		return ret;
	for (i = 0; i < nr && !ret; i++)
		ret = add_found(w, &tasks[i], fargs_nspid_get(tasks[i].tid), fargs_machine_clock());
	free(tasks);
	return ret ? no_memory(err) : 0;
}

int fargs_task_watch_read(struct fargs_task_watch *w, struct fargs_error_text *err)
{
	uint64_t nr_lost;
	int ret = read_rings(w, err);

	if (!ret)
		ret = count_lost(w, &nr_lost, err);
	if (ret || nr_lost == w->nr_lost)
		return ret;
	/*
	 * The lost records may be changes of any task's name: drop all names, and scan /proc again.
	 */
	w->nr_lost = nr_lost;
	fargs_task_history_forget(w->history, fargs_machine_clock());
	poll(NULL, 0, LATE_MS);
	return look_around(w, err);
}

struct fargs_task_history *fargs_task_watch_history(struct fargs_task_watch *w)
{
	return w->history;
}
