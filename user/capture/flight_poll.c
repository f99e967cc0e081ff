// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>

#include "capture/state.h"

/* Does the regular work between triggers: follows the names of tasks, and reads Intel PT. */
static int follow(struct fargs_capture *c)
{
	int ret = c->flight ? fargs_flight_follow(c->flight, &c->err.text) : 0;

	return ret || !c->pt.recorder ? ret :
	       fargs_pt_recorder_read(c->pt.recorder, &c->err.text);
}

static struct pollfd names_of_tasks(const struct fargs_capture *c)
{
	/* poll(2) ignores -1. */
	return (struct pollfd){
		.fd = c->flight ? fargs_flight_fd(c->flight) : -1, .events = POLLIN,
	};
}

/* Waits for @ms milliseconds, or until the recording should end. */
static int wait_after(struct fargs_capture *c, uint64_t ms)
{
	uint64_t end = fargs_capture_now_ms() + ms, now;
	int ret = 0;

	while (!ret && !fargs_capture_is_over(c) && (now = fargs_capture_now_ms()) < end) {
		c->fds[0] = (struct pollfd){ .fd = c->signals.fd, .events = POLLIN };
		c->fds[1] = names_of_tasks(c);
		fargs_capture_wait(c, 2, end - now < FARGS_CAPTURE_CLOCK_MS ?
				   end - now : FARGS_CAPTURE_CLOCK_MS);
		ret = follow(c);
	}
	return ret;
}

/*
 * Saves the calls and the Intel PT data before a trigger. Intel PT is paused while the calls are
 * read.
 */
static int keep_all(struct fargs_capture *c)
{
	int ret = c->pt.recorder ? fargs_pt_recorder_hold(c->pt.recorder, &c->err.text) : 0;

	if (!ret && c->flight)
		ret = fargs_flight_keep(c->flight, &c->err.text);
	return ret || !c->pt.recorder ? ret :
	       fargs_pt_recorder_keep(c->pt.recorder, &c->err.text);
}

/*
 * Ends the records of this trigger, which the output writes to a separate file. Unless @is_last,
 * the records that follow belong to the next trigger.
 */
static int split(struct fargs_capture *c, bool is_last)
{
	struct fargs_stats stats;
	int ret = c->flight ? fargs_session_stats(&c->session, &stats, &c->err.text) : 0;

	if (!ret)
		ret = fargs_pt_finish(&c->pt, false, &c->err.text);
	if (!ret)
		ret = c->output->split(c->output_arg, is_last, &c->err.text);
	return ret || is_last || !c->pt.recorder ? ret :
	       fargs_pt_recorder_split(c->pt.recorder, &c->err.text);
}

/*
 * Reports that the records of trigger @nr of @count were saved, unless the output writes a separate
 * file for each trigger and reports each file. After the last trigger, reports instead that the
 * command, if there is one, is no longer traced.
 */
static void note_kept(struct fargs_capture *c, unsigned int nr, unsigned int count)
{
	if (nr < count && !c->request->flight.is_split)
		fargs_capture_note(c->hooks, FARGS_NOTE_KEPT, NULL, nr,
				   count == UINT32_MAX ? 0 : count);
	else if (nr == count && c->request->command)
		fargs_capture_note(c->hooks, FARGS_NOTE_KEPT_LAST, c->command.name, 0, 0);
}

/*
 * Handles trigger @nr of @count: saves the records before the trigger, and those within the
 * requested time after it.
 */
static int keep(struct fargs_capture *c, unsigned int nr, unsigned int count)
{
	int ret = wait_after(c, c->request->flight.after_ns / 1000000);

	/* Ignore further triggers during the wait: keep_all() saves their records as well. */
	c->is_asked = false;
	if (!ret)
		ret = keep_all(c);
	/*
	 * Check whether the session has stopped: poll(2) on a stopped session reports the last
	 * trigger forever.
	 */
	fargs_capture_check_left(c);
	if (!ret && c->request->flight.is_split)
		ret = split(c, nr == count);
	if (!ret && nr < count && c->pt.recorder && !c->is_disabled)
		ret = fargs_pt_recorder_go_on(c->pt.recorder, &c->err.text);
	if (ret)
		return ret;
	note_kept(c, nr, count);
	fargs_capture_control_kept(c);
	return 0;
}

static int take_clock(struct fargs_capture *c)
{
	c->next_clock_ms = fargs_capture_now_ms() + FARGS_CAPTURE_CLOCK_MS;
	return c->flight ? fargs_flight_clock(c->flight, &c->err.text) : 0;
}

/* Waits for a signal, a trigger, the end of the session, new names of tasks, or Intel PT data. */
static void wait_for_trigger(struct fargs_capture *c)
{
	c->fds[0] = (struct pollfd){ .fd = c->signals.fd, .events = POLLIN };
	c->fds[1] = (struct pollfd){ .fd = c->is_left ? -1 : c->session.fd,
				     .events = POLLPRI | POLLRDHUP };
	c->fds[2] = names_of_tasks(c);
	if (fargs_capture_wait(c, 3, FARGS_CAPTURE_CLOCK_MS) > 0)
		c->is_asked |= c->fds[1].revents & POLLPRI;
	if (c->fds[1].revents & POLLRDHUP)
		fargs_capture_check_left(c);
}

int fargs_capture_poll_flight(struct fargs_capture *c)
{
	unsigned int count = fargs_flight_request_count(&c->request->flight);
	struct fargs_capture_progress progress = { .is_flight = true };
	int ret = 0;

	c->next_clock_ms = fargs_capture_now_ms() + FARGS_CAPTURE_CLOCK_MS;
	while (progress.nr_kept < count && !fargs_capture_is_over(c)) {
		fargs_capture_show(c, &progress);
		if (c->is_asked)
			ret = keep(c, ++progress.nr_kept, count);
		else
			wait_for_trigger(c);
		if (!ret)
			ret = fargs_capture_control(c);
		if (!ret && progress.nr_kept < count)
			ret = follow(c);
		if (!ret && fargs_capture_now_ms() >= c->next_clock_ms)
			ret = take_clock(c);
		if (!ret)
			ret = fargs_capture_take_arrivals(c);
		if (ret)
			return ret;
	}
	c->is_done = progress.nr_kept == count;
	return 0;
}
