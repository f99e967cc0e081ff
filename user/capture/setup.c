// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "capture/state.h"
#include "model/flag_formats.h"
#include "session/follow.h"

/*
 * Maximum number of attempts to start the session: an attempt fails if a task to follow ends after
 * it was found.
 */
#define FOLLOW_TRIES	100
/* How often the time of day is read while waiting for it. */
#define WAIT_MS		1000

/*
 * Allocates the descriptors for poll(2): FARGS_CAPTURE_FDS, and for each CPU one for its events and
 * two for Intel PT. Allocates the counters of calls that are not passed on.
 */
static int make_fds(struct fargs_capture *c)
{
	unsigned int nr_cpus = c->session.meta.info.nr_cpus;

	c->fds = calloc(3 * nr_cpus + FARGS_CAPTURE_FDS, sizeof(*c->fds));
	c->nr_dropped = calloc(nr_cpus, sizeof(*c->nr_dropped));
	return c->fds && c->nr_dropped ? 0 : fargs_fail(&c->err.text, ENOMEM, "out of memory");
}

static int map_rings(struct fargs_capture *c)
{
	if (c->session.fd < 0)
		return 0;
	c->rings = fargs_rings_map(c->session.fd, &c->session.meta.info,
				   c->session.meta.ring_bytes, &c->err.text);
	return c->rings ? 0 : -EINVAL;
}

/* Adds the layouts to the session, and creates and maps its rings. */
static int add_calls(struct fargs_capture *c)
{
	const struct fargs_capture_request *r = c->request;
	int ret = 0;

	if (c->session.fd >= 0)
		ret = fargs_selection_add(&c->selection, &c->session, c->hooks, &c->err.text);
	if (!ret)
		ret = fargs_session_buffer(&c->session, fargs_capture_request_ring_bytes(r),
					   r->flight.is_on ? FARGS_MODE_OVERWRITE :
					   FARGS_MODE_DROP, &c->err.text);
	if (!ret && c->session.default_ring_bytes)
		fargs_capture_note(c->hooks, FARGS_NOTE_SMALL_BUFFER, NULL,
				   c->session.meta.ring_bytes, c->session.default_ring_bytes);
	return ret ? ret : map_rings(c);
}

/*
 * Creates the flight recorder, and starts to follow task names. Call before tasks are listed, so
 * that no change of a name after the listing is missed.
 */
static int make_flight(struct fargs_capture *c)
{
	const struct fargs_capture_request *r = c->request;

	if (!r->flight.is_on || !c->rings)
		return 0;
	c->flight = fargs_flight_create(&c->session, c->rings, c->output, c->output_arg,
					fargs_capture_on_records, c);
	if (!c->flight)
		return fargs_fail(&c->err.text, ENOMEM, "no memory for the flight recorder");
	/*
	 * With is_follow, watch all tasks: the tasks to follow are determined only when everything
	 * else is ready.
	 */
	return fargs_flight_watch(c->flight, &c->command.pid, r->has_all || r->is_follow ? 0 : 1,
				  &c->err.text);
}

/* Collects all metadata. */
static int describe(struct fargs_capture *c)
{
	int ret = fargs_session_describe(&c->session, c->request->argv, &c->err.text);

	if (!ret && c->request->events.nr)
		ret = fargs_event_selection_describe(&c->events.selection, &c->session.meta,
						     &c->err.text);
	if (!ret && fargs_flag_formats_read(&c->session.meta))
		ret = fargs_fail(&c->err.text, ENOMEM, "out of memory");
	return ret ? ret : c->hooks->describe(c->hooks->arg, &c->session.meta, &c->err.text);
}

/*
 * Gives this thread the policy SCHED_FIFO if requested. Threads and processes that it creates later
 * do not inherit the policy.
 */
static int be_realtime(struct fargs_capture *c)
{
	const struct sched_param param = { .sched_priority = c->request->realtime };

	if (!c->request->realtime ||
	    !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		return 0;
	if (errno == EPERM)
		return fargs_capture_fail(&c->err, FARGS_FAULT_REALTIME, EPERM,
					  "not permitted: it needs CAP_SYS_NICE or an "
					  "RLIMIT_RTPRIO of at least %d (ulimit -r), and a "
					  "cgroup with real-time bandwidth",
					  param.sched_priority);
	return fargs_capture_fail(&c->err, FARGS_FAULT_REALTIME, errno, "%s", strerror(errno));
}

static int begin_output(struct fargs_capture *c)
{
	int ret = c->output->begin(c->output_arg, &c->session.meta, &c->err.text);

	if (!ret && c->flight)
		ret = fargs_flight_begin(c->flight, &c->err.text);
	return ret;
}

static int open_events(struct fargs_capture *c)
{
	size_t nr_refused = 0;
	int ret = fargs_events_open(&c->events, c->request, c->command.pid, c->session.fd < 0,
				    &c->session.meta, &nr_refused, &c->err);

	if (!ret && nr_refused)
		fargs_capture_note(c->hooks, FARGS_NOTE_EVENTS_REFUSED, NULL, nr_refused,
				   c->events.selection.nr);
	return ret;
}

static int start_following(struct fargs_capture *c)
{
	const struct fargs_capture_request *r = c->request;
	int tries = FOLLOW_TRIES, ret;
	size_t nr;

	do {
		pid_t *tids __cleanup_free = NULL;

		ret = fargs_follow_find(&r->pids, &r->tids, &tids, &nr, &c->err.text);
		if (ret)
			return ret;
		ret = fargs_session_start(&c->session, tids, nr, 0, r->maxactive,
					  fargs_capture_request_start_flags(r), &c->err.text);
	} while (ret == -ESRCH && --tries);
	return ret;
}

static int start_calls(struct fargs_capture *c)
{
	const struct fargs_capture_request *r = c->request;

	if (r->is_follow)
		return start_following(c);
	return fargs_session_start(&c->session, &c->command.pid, r->has_all ? 0 : 1,
				   r->has_exec ? 0 : c->command.pid, r->maxactive,
				   fargs_capture_request_start_flags(r), &c->err.text);
}

/*
 * Waits until CLOCK_REALTIME is a multiple of request->at_ns, so that machines with the same time
 * record at the same time. A signal ends the wait: it is handled once recording has begun. The
 * clock may be set meanwhile, so it is read again at least once a second.
 */
static int wait_for_time(struct fargs_capture *c)
{
	const uint64_t at_ns = c->request->at_ns;
	struct pollfd fd = { .fd = c->signals.fd, .events = POLLIN };
	uint64_t last = UINT64_MAX, now, left;

	if (!at_ns)
		return 0;
	c->hooks->phase(c->hooks->arg, FARGS_CAPTURE_WAITING, 0);
	for (;;) {
		now = fargs_capture_real_ns();
		/* The multiple was passed, or the clock was set to another period. */
		if (last != UINT64_MAX && now / at_ns != last)
			break;
		last = now / at_ns;
		left = (at_ns - now % at_ns + 999999) / 1000000;
		if (poll(&fd, 1, left < WAIT_MS ? left : WAIT_MS) > 0)
			return 0;
	}
	c->begin_ms = fargs_capture_now_ms() - now % at_ns / 1000000;
	return 0;
}

/* Starts events before calls, so that no formatted event inside a recorded call is missed. */
static int start(struct fargs_capture *c)
{
	int ret = c->events.perf ? fargs_perf_start(c->events.perf, &c->err.text) : 0;

	if (ret || c->session.fd < 0)
		return ret;
	c->hooks->phase(c->hooks->arg, FARGS_CAPTURE_ATTACHING, c->session.meta.nr_funcs);
	ret = start_calls(c);
	if (!ret)
		c->hooks->phase(c->hooks->arg, FARGS_CAPTURE_RECORDING, c->session.meta.nr_funcs);
	return ret;
}

/*
 * Starts Intel PT. Call after the probes were attached, so that the copy of the kernel's code
 * contains them.
 */
static int start_pt(struct fargs_capture *c)
{
	const struct fargs_pt_sink sink = { c->output->pt, c->output_arg };

	return fargs_pt_start(&c->pt, c->request, c->command.pid, &c->session.meta, &sink,
			      c->hooks, &c->err);
}

int fargs_capture_setup(struct fargs_capture *c)
{
	int ret = make_fds(c);

	if (!ret)
		ret = add_calls(c);
	if (!ret)
		ret = make_flight(c);
	if (!ret)
		ret = describe(c);
	if (!ret)
		ret = begin_output(c);
	if (!ret)
		ret = be_realtime(c);
	/*
	 * begin_output() may create threads: open the events afterwards, so that these threads are
	 * excluded.
	 */
	if (!ret)
		ret = open_events(c);
	if (!ret)
		ret = wait_for_time(c);
	if (!ret)
		ret = start(c);
	if (!ret)
		ret = start_pt(c);
	if (!ret && c->request->command)
		ret = fargs_command_go(&c->command, &c->err.text);
	return ret;
}
