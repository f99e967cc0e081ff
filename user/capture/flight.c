// SPDX-License-Identifier: GPL-2.0-only
#include "capture/flight.h"

#include <errno.h>
#include <stdlib.h>

#include "model/walk.h"
#include "session/task_watch.h"
#include "session/tid_set.h"

/*
 * Number of rounds of clock samples that are kept between triggers. If the rings contain records
 * older than all kept rounds, the times of these records are less accurate: they are interpolated
 * between the first round of the recording and the oldest kept round.
 */
#define ROUNDS	64

struct fargs_flight {
	struct fargs_session *session;
	struct fargs_rings *rings;
	bool is_paused;
	const struct fargs_capture_output *output;
	void *output_arg;
	fargs_ring_fn fn;
	void *fn_arg;
	uint64_t *read_to;	/* for each CPU: position up to which its ring was read */
	struct fargs_task_watch *watch;
	struct fargs_tid_set *tids;	/* tasks that have records to be passed on */
	uint64_t oldest_tsc;		/* smallest tsc of the records to be passed on */
	/*
	 * Circular buffer with the last @nr_rounds rounds of clock samples; @next_round is
	 * overwritten next.
	 */
	struct fargs_clock_sample *rounds[ROUNDS];
	unsigned int next_round, nr_rounds;
};

struct fargs_flight *fargs_flight_create(struct fargs_session *session, struct fargs_rings *rings,
					 const struct fargs_capture_output *output,
					 void *output_arg, fargs_ring_fn fn, void *fn_arg)
{
	struct fargs_flight *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->session = session;
	f->rings = rings;
	f->output = output;
	f->output_arg = output_arg;
	f->fn = fn;
	f->fn_arg = fn_arg;
	f->read_to = calloc(fargs_rings_count(rings) + 1, sizeof(*f->read_to));
	f->tids = fargs_tid_set_create();
	if (!f->read_to || !f->tids) {
		fargs_flight_destroy(f);
		return NULL;
	}
	return f;
}

void fargs_flight_destroy(struct fargs_flight *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < ROUNDS; i++)
		free(f->rounds[i]);
	free(f->read_to);
	fargs_task_watch_destroy(f->watch);
	fargs_tid_set_destroy(f->tids);
	free(f);
}

int fargs_flight_watch(struct fargs_flight *f, const pid_t *tids, size_t nr,
		       struct fargs_error_text *err)
{
	f->watch = fargs_task_watch_create(tids, nr, err);
	return f->watch ? 0 : -EINVAL;
}

int fargs_flight_begin(struct fargs_flight *f, struct fargs_error_text *err)
{
	return fargs_task_watch_found(f->watch, &f->session->meta, err);
}

int fargs_flight_fd(const struct fargs_flight *f)
{
	return fargs_task_watch_fd(f->watch);
}

int fargs_flight_follow(struct fargs_flight *f, struct fargs_error_text *err)
{
	return fargs_task_watch_read(f->watch, err);
}

int fargs_flight_clock(struct fargs_flight *f, struct fargs_error_text *err)
{
	struct fargs_clock_sample **round = &f->rounds[f->next_round];

	free(*round);
	*round = NULL;
	if (f->nr_rounds < ROUNDS)
		f->nr_rounds++;
	f->next_round = (f->next_round + 1) % ROUNDS;
	return fargs_session_clock(f->session, round, err);
}

static int hand_over_clocks(struct fargs_flight *f, struct fargs_error_text *err)
{
	int ret = 0;

	for (; f->nr_rounds && !ret; f->nr_rounds--) {
		size_t i = (f->next_round + ROUNDS - f->nr_rounds) % ROUNDS;

		ret = f->output->clock(f->output_arg, f->rounds[i], err);
	}
	return ret;
}

static int note_tasks(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	const struct fargs_record *rec;
	struct fargs_flight *f = arg;
	size_t at, len;

	for (at = 0; at < bytes; at += len) {
		rec = (const void *)((const char *)records + at);
		len = fargs_walk_len(rec, bytes - at);
		/* The record is corrupt, which hand_over_records() reports. */
		if (!len)
			break;
		fargs_tid_set_add(f->tids, (pid_t)rec->tid);
		if (rec->tsc < f->oldest_tsc)
			f->oldest_tsc = rec->tsc;
	}
	return 0;
}

/*
 * Passes on the names of the tasks that have records, before these records. Other tasks are left
 * out, because there may be very many. To find the tasks that have records, reads all records an
 * additional time, which takes a tenth of the time of writing the records.
 */
static int hand_over_names(struct fargs_flight *f, struct fargs_error_text *err)
{
	struct fargs_task_name *names;
	unsigned int cpu;
	uint64_t from;
	size_t nr;
	int ret;

	fargs_tid_set_clear(f->tids);
	f->oldest_tsc = UINT64_MAX;
	for (cpu = 0; cpu < fargs_rings_count(f->rings); cpu++) {
		from = f->read_to[cpu];
		fargs_rings_read_frozen(f->rings, cpu, &from, note_tasks, f);
	}
	/*
	 * The rings are frozen, so all changes of names before the rings' last record can be read
	 * now.
	 */
	ret = fargs_task_watch_read(f->watch, err);
	if (ret)
		return ret;
	if (fargs_task_history_take(fargs_task_watch_history(f->watch), f->oldest_tsc, f->tids,
				    &names, &nr))
		return fargs_fail(err, ENOMEM, "no memory for the names of tasks");
	ret = f->output->names(f->output_arg, names, nr, err);
	free(names);
	return ret;
}

static int hand_over_records(struct fargs_flight *f, struct fargs_error_text *err)
{
	unsigned int cpu;
	int ret;

	for (cpu = 0; cpu < fargs_rings_count(f->rings); cpu++) {
		ret = fargs_rings_read_frozen(f->rings, cpu, &f->read_to[cpu], f->fn,
					      f->fn_arg);
		if (ret == -EIO && !err->text[0])
			return fargs_fail(err, EIO, "the ring of CPU %u is corrupt", cpu);
		if (ret)
			return ret;
	}
	return 0;
}

int fargs_flight_pause(struct fargs_flight *f, bool is_paused, struct fargs_error_text *err)
{
	f->is_paused = is_paused;
	return f->session->is_running ? fargs_session_freeze(f->session, is_paused, err) : 0;
}

int fargs_flight_keep(struct fargs_flight *f, struct fargs_error_text *err)
{
	bool is_running = f->session->is_running;
	int ret, thawed = 0;

	/*
	 * Read the changes of task names before freezing the rings, so that the rings are frozen
	 * only briefly: calls are lost while they are frozen.
	 */
	ret = fargs_flight_follow(f, err);
	if (!ret && is_running)
		ret = fargs_session_freeze(f->session, true, err);
	if (!ret)
		ret = fargs_flight_clock(f, err);
	if (!ret)
		ret = hand_over_clocks(f, err);
	if (!ret)
		ret = hand_over_names(f, err);
	if (!ret)
		ret = hand_over_records(f, err);
	if (is_running && !ret && !f->is_paused)
		thawed = fargs_session_freeze(f->session, false, err);
	return ret ? ret : thawed;
}
