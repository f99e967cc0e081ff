// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "base/cleanup.h"
#include "capture/state.h"
#include "model/walk.h"

static void note_arrived(const struct fargs_capture *c, const struct fargs_arrived *arrived)
{
	size_t i;

	for (i = 0; i < arrived->nr_stale; i++)
		fargs_capture_note(c->hooks, FARGS_NOTE_STALE_MODULE, arrived->stale[i], 0, 0);
	if (arrived->nr_refused)
		fargs_capture_note(c->hooks, FARGS_NOTE_LOADED_REFUSED, NULL, arrived->nr_refused,
				   0);
}

int fargs_capture_take_arrivals(struct fargs_capture *c)
{
	struct fargs_arrived arrived;
	int ret;

	if (!c->session.awaited.nr && !c->session.awaited.has_tpoints)
		return 0;
	ret = fargs_awaited_take(&c->session.awaited, c->session.fd, &c->session.meta, &arrived,
				 &c->err.text);
	if (ret)
		return ret;
	note_arrived(c, &arrived);
	if (arrived.nr && c->output->functions)
		ret = c->output->functions(c->output_arg, arrived.funcs, arrived.nr, &c->err.text);
	fargs_arrived_deinit(&arrived);
	return ret;
}

/* Returns whether @rec is about tasks or losses, which are recorded even while calls are not. */
static bool is_always_kept(const struct fargs_record *rec)
{
	return rec->kind == FARGS_KIND_TASK || rec->kind == FARGS_KIND_LOST;
}

/*
 * Passes on those of @records that are kept while recording is disabled, and counts the others,
 * except for context switches, which have counters of their own.
 */
static int pass_kept(struct fargs_capture *c, unsigned int cpu, const void *records, size_t bytes,
		     uint64_t unread)
{
	__cleanup_free char *kept = malloc(bytes);
	const struct fargs_record *rec;
	size_t at, len, nr = 0;

	if (!kept)
		return fargs_fail(&c->err.text, ENOMEM, "out of memory");
	for (at = 0; at < bytes; at += len) {
		rec = (const void *)((const char *)records + at);
		len = fargs_walk_len(rec, bytes - at);
		if (!len) {
			/* The output reports the corrupt record. */
			len = bytes - at;
		} else if (!is_always_kept(rec)) {
			c->nr_dropped[cpu] += rec->kind != FARGS_KIND_SWITCH;
			continue;
		}
		memcpy(kept + nr, rec, len);
		nr += len;
	}
	return nr ? c->output->records(c->output_arg, cpu, kept, nr, unread, &c->err.text) : 0;
}

int fargs_capture_on_records(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	uint64_t unread;
	struct fargs_capture *c = arg;
	int ret = fargs_capture_take_arrivals(c);

	if (ret)
		return ret;
	unread = fargs_rings_unread(c->rings, cpu);
	if (c->unread < unread)
		c->unread = unread;
	/* A flight recorder is disabled by freezing its rings. */
	if (c->is_disabled && !c->flight)
		return pass_kept(c, cpu, records, bytes, unread);
	return c->output->records(c->output_arg, cpu, records, bytes, unread, &c->err.text);
}

static int on_events(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	struct fargs_capture *c = arg;

	return c->output->events(c->output_arg, cpu, records, bytes, &c->err.text);
}

static void on_cpu(void *arg, unsigned int cpu, bool is_online)
{
	const struct fargs_capture *c = arg;

	fargs_capture_note(c->hooks, is_online ? FARGS_NOTE_CPU_ONLINE : FARGS_NOTE_CPU_OFFLINE,
			   NULL, cpu, 0);
}

static int drain_events(struct fargs_capture *c, bool is_last)
{
	int ret = is_last ? 0 : fargs_perf_follow_cpus(c->events.perf, on_cpu, c, &c->err.text);

	if (ret)
		return ret;
	c->err.text.text[0] = '\0';
	ret = fargs_perf_read(c->events.perf, is_last, on_events, c);
	if (ret && !c->err.text.text[0])
		fargs_fail(&c->err.text, -ret, ret == -ENOMEM ? "no memory for events" :
			   "a buffer of events is corrupt");
	return ret;
}

static int drain_rings(struct fargs_capture *c)
{
	unsigned int cpu;
	int ret = 0;

	for (cpu = 0; !ret && c->rings && cpu < fargs_rings_count(c->rings); cpu++) {
		ret = fargs_rings_read(c->rings, cpu, fargs_capture_on_records, c);
		if (ret == -EIO)
			fargs_fail(&c->err.text, EIO, "the ring of CPU %u is corrupt", cpu);
	}
	return ret;
}

static int report_drained(struct fargs_capture *c, bool is_last, uint64_t now_tsc)
{
	uint64_t held_ns = FARGS_CAPTURE_END;

	if (c->events.perf && !is_last)
		held_ns = fargs_perf_held_ns(c->events.perf);
	return c->output->drained(c->output_arg, is_last ? FARGS_CAPTURE_END : now_tsc, held_ns,
				&c->err.text);
}

int fargs_capture_drain(struct fargs_capture *c, bool is_last)
{
	uint64_t now_tsc = __rdtsc();
	int ret = drain_rings(c);

	if (!ret)
		ret = fargs_capture_take_arrivals(c);
	if (!ret && c->events.perf)
		ret = drain_events(c, is_last);
	if (!ret && c->pt.recorder && !is_last)
		ret = fargs_pt_recorder_read(c->pt.recorder, &c->err.text);
	return ret ? ret : report_drained(c, is_last, now_tsc);
}

/* Does the kernel consider the TSC stable? */
static bool is_tsc_stable(const struct fargs_capture *c, const struct fargs_clock_sample *samples)
{
	unsigned int cpu;

	for (cpu = 0; cpu < c->session.meta.info.nr_cpus; cpu++)
		if (samples[cpu].is_valid & FARGS_CLOCK_UNSTABLE)
			return false;
	return c->session.meta.info.tsc_stable;
}

int fargs_capture_take_clock(struct fargs_capture *c)
{
	struct fargs_clock_sample *samples;
	int ret;

	c->next_clock_ms = fargs_capture_now_ms() + FARGS_CAPTURE_CLOCK_MS;
	if (c->session.fd < 0)
		return 0;
	ret = fargs_session_clock(&c->session, &samples, &c->err.text);
	if (ret)
		return ret;
	fargs_events_clock(&c->events, samples, c->session.meta.info.nr_cpus);
	ret = c->output->clock(c->output_arg, samples, &c->err.text);
	if (c->output->is_live && !is_tsc_stable(c, samples))
		c->next_clock_ms = fargs_capture_now_ms() + FARGS_CAPTURE_READ_MS;
	free(samples);
	return ret;
}

uint64_t fargs_capture_lost(struct fargs_capture *c)
{
	struct fargs_session *s = &c->session;
	struct fargs_event_stats *events = c->events.perf ? fargs_perf_stats(c->events.perf) : NULL;
	unsigned int i, nr = s->meta.info.nr_cpus;
	struct fargs_stats stats;
	uint64_t lost = 0;

	for (i = 0; events && i < nr; i++)
		lost += events[i].lost;
	free(events);
	/* If the module's counters cannot be read now, they are still reported at the end. */
	if (s->fd < 0 || fargs_session_stats(s, &stats, NULL))
		return lost;
	for (i = 0; i < nr; i++)
		lost += s->meta.stats[i].lost;
	return lost;
}
