// SPDX-License-Identifier: GPL-2.0-only
#include "capture/capture.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <x86intrin.h>

#include "cmd/screen/choice.h"
#include "cmd/screen/cmd.h"
#include "session/command.h"
#include "session/follow.h"
#include "session/session.h"
#include "session/signals.h"
#include "capture/events.h"
#include "capture/flight.h"
#include "cmd/screen/losses.h"
#include "capture/pt.h"
#include "cmd/options/realtime.h"
#include "cmd/screen/progress.h"
#include "session/rings.h"
#include "cmd/screen/status_line.h"

/* Rings are read when the module says that one is filling, and at least this often. */
#define READ_MS		100
#define CLOCK_MS	1000
/* What is polled for beside what each CPU has: signals, the session, names of tasks. */
#define FDS		3
/* How long a command that was asked to end may take before we leave without it. */
#define COMMAND_END_MS	2000
/* PROC_PID_INIT_INO of the kernel. */
#define INITIAL_PID_NS	0xeffffffcu

struct capture {
	const struct fargs_capture_options *options;
	const struct fargs_sink *sink;
	void *arg;
	struct fargs_signals signals;
	struct fargs_command command;
	struct fargs_choice choice;
	struct fargs_session session;
	struct fargs_rings *rings;
	struct fargs_events events;
	struct fargs_pt pt;
	struct pollfd *fds;	/* up to FDS of ours, and for each CPU its events and its PT */
	struct fargs_flight *flight;	/* NULL: the rings are read as they fill */
	struct fargs_error_text err;
	struct fargs_progress progress;
	uint64_t next_clock_ms;
	uint64_t end_ms;	/* --duration is over; UINT64_MAX: never */
	int end_signal;		/* that asked us to end; 0: none */
	bool is_asked;		/* SIGUSR2, or a trigger: what is in the rings is to be kept */
	bool is_done;		/* nobody reads what we write, or it is all that was wanted */
	bool is_enough;		/* as long, or as many events, as was asked for */
	bool is_left;		/* the session has stopped by itself */
};

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

static void tell_arrived(const struct capture *c, const struct fargs_arrived *arrived)
{
	if (arrived->stale)
		cmd_fail("warning: module %s came, but another build of it than the one in "
			 "/lib/modules: it is not traced", arrived->stale->module);
	if (!arrived->nr_refused || !c->options->is_verbose)
		return;
	fargs_status_line_hide();
	fprintf(stderr, "fargs: %zu functions that came cannot be traced\n", arrived->nr_refused);
}

/* Functions that came with their modules: after a ring was read, before that is used. */
static int take_arrivals(struct capture *c)
{
	struct fargs_arrived arrived;
	int ret;

	if (!c->session.awaited.nr)
		return 0;
	ret = fargs_awaited_take(&c->session.awaited, c->session.fd, &c->session.meta, &arrived,
				 &c->err);
	if (ret)
		return ret;
	tell_arrived(c, &arrived);
	if (arrived.nr && c->sink->functions)
		ret = c->sink->functions(c->arg, arrived.funcs, arrived.nr, &c->err);
	fargs_arrived_deinit(&arrived);
	return ret;
}

static int on_records(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	uint64_t unread;
	struct capture *c = arg;
	int ret = take_arrivals(c);

	if (ret)
		return ret;
	unread = fargs_rings_unread(c->rings, cpu);
	fargs_progress_unread(&c->progress, unread);
	return c->sink->records(c->arg, cpu, records, bytes, unread, &c->err);
}

static int on_events(void *arg, unsigned int cpu, const void *records, size_t bytes)
{
	struct capture *c = arg;

	return c->sink->events(c->arg, cpu, records, bytes, &c->err);
}

static void tell_cpu(unsigned int cpu, bool has_come)
{
	fargs_status_line_hide();
	fprintf(stderr, has_come ? "fargs: CPU %u came: its events are recorded from now on\n" :
		"fargs: CPU %u went, and its events with it\n", cpu);
}

static int drain_events(struct capture *c, bool is_last)
{
	int ret = is_last ? 0 : fargs_perf_follow_cpus(c->events.perf, tell_cpu, &c->err);

	if (ret)
		return ret;
	c->err.text[0] = '\0';
	ret = fargs_perf_read(c->events.perf, is_last, on_events, c);
	if (ret && !c->err.text[0])
		fargs_fail(&c->err, -ret, ret == -ENOMEM ? "no memory for events" :
			   "a buffer of events makes no sense");
	return ret;
}

static int tell_drained(struct capture *c, bool is_last, uint64_t now_tsc)
{
	uint64_t held_ns = FARGS_CAPTURE_END;

	if (c->events.perf && !is_last)
		held_ns = fargs_perf_held_ns(c->events.perf);
	return c->sink->drained(c->arg, is_last ? FARGS_CAPTURE_END : now_tsc, held_ns, &c->err);
}

/* Reads every ring once. */
static int drain(struct capture *c, bool is_last)
{
	uint64_t now_tsc = __rdtsc();
	unsigned int cpu;
	int ret;

	for (cpu = 0; c->rings && cpu < fargs_rings_count(c->rings); cpu++) {
		ret = fargs_rings_read(c->rings, cpu, on_records, c);
		if (ret) {
			if (ret == -EIO)
				fargs_fail(&c->err, EIO, "the ring of CPU %u makes no sense", cpu);
			return ret;
		}
	}
	ret = take_arrivals(c);
	if (ret)
		return ret;
	if (c->events.perf)
		ret = drain_events(c, is_last);
	if (!ret && c->pt.recorder && !is_last)
		ret = fargs_pt_recorder_read(c->pt.recorder, &c->err);
	return ret ? ret : tell_drained(c, is_last, now_tsc);
}

/* Does the kernel trust the TSC? */
static bool is_tsc(const struct capture *c, const struct fargs_clock_sample *samples)
{
	unsigned int cpu;

	for (cpu = 0; cpu < c->session.meta.info.nr_cpus; cpu++)
		if (samples[cpu].is_valid & FARGS_CLOCK_UNSTABLE)
			return false;
	return c->session.meta.info.tsc_stable;
}

static int take_clock(struct capture *c)
{
	struct fargs_clock_sample *samples;
	int ret;

	c->next_clock_ms = now_ms() + CLOCK_MS;
	if (c->session.fd < 0)
		return 0;
	ret = fargs_session_clock(&c->session, &samples, &c->err);
	if (ret)
		return ret;
	fargs_events_clock(&c->events, samples, c->session.meta.info.nr_cpus);
	ret = c->sink->clock(c->arg, samples, &c->err);
	if (c->sink->is_live && !is_tsc(c, samples))
		c->next_clock_ms = now_ms() + READ_MS;
	free(samples);
	return ret;
}

/* Is there a reason to end? */
static bool is_over(struct capture *c)
{
	int sig;

	while ((sig = fargs_signals_next(&c->signals))) {
		if (sig == SIGUSR2 && c->flight)
			c->is_asked = true;
		else if (sig != SIGCHLD)
			c->end_signal = sig;
	}
	c->is_enough |= now_ms() >= c->end_ms;
	return c->end_signal || c->is_enough ||
	       (c->options->command && fargs_command_poll(&c->command));
}

/* At most @ms, and not longer than was asked for. */
static int until_end(const struct capture *c, int ms)
{
	uint64_t now = now_ms();

	return c->end_ms <= now ? 0 : c->end_ms - now < (uint64_t)ms ? (int)(c->end_ms - now) : ms;
}

/* For what the first @nr of c->fds say, or Intel PT. */
static int wait_for(struct capture *c, size_t nr, int ms)
{
	if (c->pt.recorder)
		nr += fargs_pt_recorder_poll(c->pt.recorder, c->fds + nr,
					     2 * c->session.meta.info.nr_cpus);
	return poll(c->fds, nr, until_end(c, ms));
}

/* What does not wait for a trigger. */
static int follow_flying(struct capture *c)
{
	int ret = fargs_flight_follow(c->flight, &c->err);

	return ret || !c->pt.recorder ? ret : fargs_pt_recorder_read(c->pt.recorder, &c->err);
}

/* For @ms, unless there is a reason to end. */
static int wait_flying(struct capture *c, uint64_t ms)
{
	uint64_t end = now_ms() + ms, now;
	int ret = 0;

	while (!ret && !is_over(c) && (now = now_ms()) < end) {
		c->fds[0] = (struct pollfd){ .fd = c->signals.fd, .events = POLLIN };
		c->fds[1] = (struct pollfd){ .fd = fargs_flight_fd(c->flight), .events = POLLIN };
		wait_for(c, 2, end - now < CLOCK_MS ? end - now : CLOCK_MS);
		ret = follow_flying(c);
	}
	return ret;
}

/* The trace stands still from before the calls were read to after. */
static int keep_all(struct capture *c)
{
	int ret = c->pt.recorder ? fargs_pt_recorder_hold(c->pt.recorder, &c->err) : 0;

	if (!ret)
		ret = fargs_flight_keep(c->flight, &c->err);
	return ret || !c->pt.recorder ? ret : fargs_pt_recorder_keep(c->pt.recorder, &c->err);
}

/* What was kept gets a file of its own. */
static int split(struct capture *c, bool is_last)
{
	struct fargs_stats stats;
	int ret = fargs_session_stats(&c->session, &stats, &c->err);

	if (!ret)
		ret = fargs_pt_finish(&c->pt, false, &c->err);
	if (!ret)
		ret = c->sink->split(c->arg, is_last, &c->err);
	return ret || is_last || !c->pt.recorder ? ret :
	       fargs_pt_recorder_split(c->pt.recorder, &c->err);
}

/* Once. From then on there is nothing to be asked of the session's file. */
static void tell_left(struct capture *c)
{
	if (c->is_left || !fargs_session_has_stopped(&c->session))
		return;
	c->is_left = true;
	fargs_status_line_hide();
	fprintf(stderr, "fargs: all that was traced has gone with its module\n");
}

/* There was a trigger: keeps what came before, and what comes within the time given. */
static int keep(struct capture *c, unsigned int nr, unsigned int count)
{
	bool is_split = c->options->flight.is_split;
	int ret;

	ret = wait_flying(c, c->options->flight.after_ns / 1000000);
	/* Once more meanwhile: that is kept, too. */
	c->is_asked = false;
	if (!ret)
		ret = keep_all(c);
	/* It goes on telling of its last trigger. */
	tell_left(c);
	if (!ret && is_split)
		ret = split(c, nr == count);
	if (!ret && nr < count && c->pt.recorder)
		ret = fargs_pt_recorder_go_on(c->pt.recorder, &c->err);
	fargs_status_line_hide();
	if (!ret && !is_split && nr < count)
		fprintf(stderr, "fargs: kept the last calls (%u of %u)\n", nr, count);
	else if (!ret && nr == count && c->options->command)
		fprintf(stderr, "fargs: kept the last calls; '%s' is no longer traced\n",
			c->command.name);
	return ret;
}

static int take_flying_clock(struct capture *c)
{
	c->next_clock_ms = now_ms() + CLOCK_MS;
	return fargs_flight_clock(c->flight, &c->err);
}

/* A command may write to the terminal, too: it is the command's then. */
static bool is_status_due(struct capture *c)
{
	return !c->options->command && !c->sink->has_screen &&
	       fargs_progress_is_due(&c->progress, now_ms());
}

static void show_flying(struct capture *c, unsigned int nr_kept)
{
	char line[128];

	if (!is_status_due(c))
		return;
	snprintf(line, sizeof(line), "fargs: flight recorder: kept %u time%s; waiting for the next "
		 "trigger (Ctrl-C ends)", nr_kept, nr_kept == 1 ? "" : "s");
	fargs_status_line_show(line);
}

static int run_flying(struct capture *c)
{
	const struct fargs_flight_options *o = &c->options->flight;
	unsigned int count = o->count ? o->count : o->is_split ? UINT32_MAX : 1, nr_kept = 0;
	int ret = 0;

	c->next_clock_ms = now_ms() + CLOCK_MS;
	while (nr_kept < count && !is_over(c)) {
		c->fds[0] = (struct pollfd){ .fd = c->signals.fd, .events = POLLIN };
		c->fds[1] = (struct pollfd){ .fd = c->is_left ? -1 : c->session.fd,
					     .events = POLLPRI | POLLRDHUP };
		c->fds[2] = (struct pollfd){ .fd = fargs_flight_fd(c->flight), .events = POLLIN };
		show_flying(c, nr_kept);
		if (c->is_asked)
			ret = keep(c, ++nr_kept, count);
		else if (wait_for(c, 3, CLOCK_MS) > 0)
			c->is_asked = c->fds[1].revents & POLLPRI;
		if (c->fds[1].revents & POLLRDHUP)
			tell_left(c);
		if (!ret && nr_kept < count)
			ret = follow_flying(c);
		if (!ret && now_ms() >= c->next_clock_ms)
			ret = take_flying_clock(c);
		if (!ret)
			ret = take_arrivals(c);
		if (ret)
			return ret;
	}
	c->is_done = nr_kept == count;
	return 0;
}

/* How it goes; and is it enough? */
static void ask_sink(struct capture *c)
{
	struct fargs_progress_taken taken = { };
	bool is_done = false;

	c->sink->tell(c->arg, &taken, &is_done);
	c->is_enough |= is_done;
	if (is_status_due(c))
		fargs_progress_show(&c->progress, now_ms(), &c->session, c->events.perf, &taken);
}

static int run(struct capture *c)
{
	unsigned int nr_cpus = c->session.meta.info.nr_cpus;
	size_t nr, nr_pt;
	int ret;

	while (!is_over(c)) {
		/* The session's may be -1, which poll(2) passes over. */
		c->fds[0] = (struct pollfd){ .fd = c->signals.fd, .events = POLLIN };
		c->fds[1] = (struct pollfd){ .fd = c->session.fd,
					     .events = c->is_left ? POLLIN : POLLIN | POLLRDHUP };
		nr = c->events.perf ? fargs_perf_poll(c->events.perf, c->fds + 2, nr_cpus) : 0;
		nr_pt = c->pt.recorder ? fargs_pt_recorder_poll(c->pt.recorder, c->fds + 2 + nr,
								2 * nr_cpus) : 0;
		if (poll(c->fds, nr + nr_pt + 2, until_end(c, READ_MS)) > 0 && nr)
			fargs_perf_polled(c->events.perf, c->fds + 2, nr);
		if (c->fds[1].revents & POLLRDHUP)
			tell_left(c);
		ret = now_ms() >= c->next_clock_ms ? take_clock(c) : 0;
		if (!ret)
			ret = drain(c, false);
		if (ret)
			return ret;
		ask_sink(c);
	}
	return 0;
}

static void tell_triggers(const struct capture *c, const struct fargs_stats *stats)
{
	if (fargs_capture_options_has_trigger(c->options) && !stats->nr_triggers)
		fprintf(stderr, "fargs: no call has triggered\n");
}

/* For a command that goes on the terminal is its own. */
static int detach(struct capture *c)
{
	int ret;

	if (c->session.is_running && !c->options->command && !c->sink->has_screen)
		fargs_progress_tell("detaching from", c->session.meta.nr_funcs);
	ret = fargs_session_stop(&c->session, &c->err);
	fargs_status_line_hide();
	return ret;
}

/* What the rings still hold, the counters, and the end of the output. */
static int finish(struct capture *c, struct fargs_stats *stats)
{
	/* The probes go after the trace: it shows no code that they are gone from. */
	int ret = c->pt.recorder ? fargs_pt_recorder_stop(c->pt.recorder, &c->err) : 0;

	tell_left(c);
	if (!ret)
		ret = detach(c);
	if (!ret && c->events.perf)
		ret = fargs_perf_stop(c->events.perf, &c->err);
	if (!ret && c->flight)
		ret = c->is_done ? 0 : fargs_flight_keep(c->flight, &c->err);
	else if (!ret)
		ret = take_clock(c);
	if (!ret && !c->flight)
		ret = drain(c, true);
	/* Behind the last trigger there is nothing to keep, nor a file if each has its own. */
	if (!ret && !(c->is_done && c->options->flight.is_split))
		ret = fargs_pt_finish(&c->pt, !c->is_done, &c->err);
	if (!ret && c->session.fd >= 0)
		ret = fargs_session_stats(&c->session, stats, &c->err);
	if (!ret && c->events.perf) {
		c->session.meta.event_stats = fargs_perf_stats(c->events.perf);
		if (!c->session.meta.event_stats)
			ret = fargs_fail(&c->err, ENOMEM, "no memory for the counters");
	}
	if (!ret)
		ret = c->sink->end(c->arg, &c->err);
	return ret;
}

/* Sees to it that the command does not outlive us unnoticed. */
static int end_command(struct capture *c)
{
	struct pollfd fd = { .fd = c->signals.fd, .events = POLLIN };
	struct fargs_command *command = &c->command;
	bool goes_on;

	if (!c->options->command)
		return 0;
	/* That is not the command's business. */
	goes_on = c->is_done || c->is_enough;
	c->is_enough = false;
	c->end_ms = UINT64_MAX;
	while (goes_on && !is_over(c))
		poll(&fd, 1, -1);
	if (!command->has_ended) {
		/* A terminal has told it already; then this does no harm. */
		kill(command->pid, c->end_signal ? c->end_signal : SIGTERM);
		if (!fargs_command_wait(command, COMMAND_END_MS)) {
			fprintf(stderr, "fargs: '%s' (pid %d) goes on, no longer traced\n",
				command->name, command->pid);
			return 0;
		}
	}
	return fargs_command_exit_code(command);
}

static int make_buffer(struct capture *c)
{
	const struct fargs_capture_options *o = c->options;
	uint64_t bytes = o->flight.ring_bytes ? o->flight.ring_bytes : o->ring_bytes;

	return fargs_session_buffer(&c->session, bytes, o->flight.is_on ? FARGS_MODE_OVERWRITE :
				    FARGS_MODE_DROP, &c->err);
}

/* Of those that are to be followed some may end before they are. */
#define FOLLOW_TRIES	100

/* With nothing to wait for, a trigger keeps what came before, however late we come. */
static bool is_freezing(const struct fargs_capture_options *o)
{
	return o->flight.is_on && fargs_capture_options_has_trigger(o) && !o->flight.after_ns;
}

static uint32_t start_flags(const struct fargs_capture_options *o)
{
	return (is_freezing(o) ? FARGS_START_FREEZE : 0) |
	       (o->has_switches ? FARGS_START_SWITCHES : 0);
}

static int start_following(struct capture *c)
{
	const struct fargs_capture_options *o = c->options;
	int tries = FOLLOW_TRIES, ret;
	pid_t *tids;
	size_t nr;

	do {
		ret = fargs_follow_find(&o->pids, &o->tids, &tids, &nr, &c->err);
		if (ret)
			return ret;
		ret = fargs_session_start(&c->session, tids, nr, o->maxactive,
					  start_flags(o), &c->err);
		free(tids);
	} while (ret == -ESRCH && --tries);
	return ret;
}

static int start(struct capture *c)
{
	const struct fargs_capture_options *o = c->options;

	if (o->is_follow)
		return start_following(c);
	return fargs_session_start(&c->session, &c->command.pid, o->has_all ? 0 : 1, o->maxactive,
				   start_flags(o), &c->err);
}

/* Names are followed before the tasks are looked for, and so before anything is recorded. */
static int make_flight(struct capture *c)
{
	const struct fargs_capture_options *o = c->options;

	if (!o->flight.is_on)
		return 0;
	c->flight = fargs_flight_create(&c->session, c->rings, c->sink, c->arg, on_records, c);
	if (!c->flight)
		return fargs_fail(&c->err, ENOMEM, "no memory for the flight recorder");
	/* Tasks that are to be followed are found only when all else is ready. */
	return fargs_flight_watch(c->flight, &c->command.pid, o->has_all || o->is_follow ? 0 : 1,
				  &c->err);
}

/* Of a CPU: its events, and two of Intel PT. */
static int make_fds(struct capture *c)
{
	c->fds = calloc(3 * c->session.meta.info.nr_cpus + FDS, sizeof(*c->fds));
	return c->fds ? 0 : fargs_fail(&c->err, ENOMEM, "out of memory");
}

/* What the module is asked for. */
static int add_calls(struct capture *c)
{
	return c->session.fd < 0 ? 0 :
	       fargs_choice_add(&c->choice, c->options, &c->session, &c->err);
}

static int map_rings(struct capture *c)
{
	if (c->session.fd < 0)
		return 0;
	c->rings = fargs_rings_map(c->session.fd, &c->session.meta.info,
				   c->session.meta.ring_bytes, &c->err);
	return c->rings ? 0 : -EINVAL;
}

/* Events first: what happens in a call that is recorded is, too. */
static int start_all(struct capture *c)
{
	int ret = c->events.perf ? fargs_perf_start(c->events.perf, &c->err) : 0;

	if (ret || c->session.fd < 0)
		return ret;
	fargs_progress_tell("attaching to", c->session.meta.nr_funcs);
	ret = start(c);
	fargs_status_line_hide();
	return ret;
}

/* After the probes, so that their code is in what is copied. */
static int start_pt(struct capture *c)
{
	const struct fargs_pt_sink sink = { c->sink->pt, c->arg };

	return fargs_pt_start(&c->pt, c->options, &c->session.meta, &sink, &c->err);
}

/* Where the processes are that records number as we do; NULL: we are in a namespace of our own. */
static const char *initial_proc(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == INITIAL_PID_NS ? "/proc" : NULL;
}

/* From the open session to the end; the command waits. */
static int trace(struct capture *c)
{
	struct fargs_stats stats = { };
	int ret;

	ret = make_fds(c);
	if (!ret)
		ret = add_calls(c);
	if (!ret)
		ret = make_buffer(c);
	if (!ret)
		ret = map_rings(c);
	if (!ret)
		ret = make_flight(c);
	if (!ret)
		ret = fargs_session_describe(&c->session, c->options->argv, &c->err);
	if (!ret && c->options->events.nr)
		ret = fargs_event_choice_describe(&c->events.choice, &c->session.meta, &c->err);
	if (!ret && fargs_guest_options_read(&c->options->guests, initial_proc(),
					     &c->session.meta.guests))
		ret = fargs_fail(&c->err, ENOMEM, "no memory for symbols of guests");
	if (!ret)
		ret = c->sink->begin(c->arg, c->options, &c->session.meta, &c->err);
	if (!ret && c->flight)
		ret = fargs_flight_begin(c->flight, &c->err);
	if (!ret && c->options->realtime)
		ret = fargs_realtime_set(c->options->realtime, &c->err);
	/* After begin, which may have made threads: ours are left out. */
	if (!ret)
		ret = fargs_events_open(&c->events, c->options, c->command.pid,
					c->session.fd < 0, &c->session.meta, &c->err);
	if (!ret)
		ret = start_all(c);
	if (!ret)
		ret = start_pt(c);
	if (!ret && c->options->command)
		ret = fargs_command_go(&c->command, &c->err);
	if (ret) {
		cmd_fail("%s", c->err.text);
		c->sink->cancel(c->arg);
		return c->command.has_ended ? fargs_command_exit_code(&c->command) : 1;
	}
	if (c->options->duration_ns)
		c->end_ms = now_ms() + (c->options->duration_ns + 999999) / 1000000;
	ret = c->flight ? run_flying(c) : run(c);
	fargs_status_line_hide();
	if (!ret)
		ret = finish(c, &stats);
	if (ret == -EPIPE)
		c->is_done = true;
	else if (ret)
		cmd_fail("%s", c->err.text);
	/* Whatever happened, the probes go now. */
	if (c->session.is_running)
		fargs_session_stop(&c->session, NULL);
	if (!ret)
		fargs_losses_tell(&c->session.meta, &stats);
	if (!ret)
		fargs_losses_tell_events(&c->session.meta);
	if (!ret)
		fargs_pt_tell(&c->pt);
	if (!ret)
		tell_triggers(c, &stats);
	return ret && ret != -EPIPE ? (end_command(c), 1) : end_command(c);
}

/*
 * Opens the session, and finds the functions. What the machine lacks is reported before what these
 * may be mistaken in: reading the kernel's BTF takes seconds.
 */
static int prepare(struct capture *c)
{
	int ret;

	ret = fargs_events_choose(&c->events, c->options, &c->err);
	if (!ret)
		ret = fargs_pt_choose(&c->pt, c->options, &c->err);
	if (ret)
		return ret;
	if (!c->options->wanted.nr && !c->options->tpoints.nr)
		return fargs_session_init_bare(&c->session, &c->err);
	ret = fargs_session_init(&c->session, &c->err);
	if (ret)
		return ret;
	ret = fargs_choice_init(&c->choice, c->options, c->session.meta.info.tsc_khz, &c->err);
	if (ret)
		fargs_session_deinit(&c->session);
	return ret;
}

int fargs_capture_run(const struct fargs_capture_options *options, const struct fargs_sink *sink,
		      void *arg)
{
	struct capture c = { .options = options, .sink = sink, .arg = arg, .end_ms = UINT64_MAX };
	int status;

	if (fargs_choice_check(options, &c.err) || fargs_signals_init(&c.signals, &c.err))
		return cmd_fail("%s", c.err.text);
	/* Before there is anything for the child to inherit. */
	if (options->command &&
	    fargs_command_init(&c.command, options->command, &c.signals, &c.err)) {
		status = cmd_fail("%s", c.err.text);
		goto out_signals;
	}
	if (prepare(&c)) {
		status = cmd_fail("%s", c.err.text);
		goto out_command;
	}
	status = trace(&c);
	fargs_flight_destroy(c.flight);
	fargs_rings_destroy(c.rings);
	fargs_session_deinit(&c.session);
out_command:
	fargs_events_deinit(&c.events);
	fargs_pt_deinit(&c.pt);
	free(c.fds);
	fargs_choice_deinit(&c.choice);
	fargs_command_deinit(&c.command);
out_signals:
	fargs_signals_deinit(&c.signals);
	return status;
}
