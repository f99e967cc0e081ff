// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <signal.h>

#include "capture/state.h"

static void take_signal(struct fargs_capture *c, int sig)
{
	if (sig == SIGUSR2 && c->request->flight.is_on)
		c->is_asked = true;
	else if (sig != SIGCHLD)
		c->end_signal = sig;
}

bool fargs_capture_is_over(struct fargs_capture *c)
{
	int sig;

	while ((sig = fargs_signals_next(&c->signals)))
		take_signal(c, sig);
	c->is_enough |= fargs_capture_now_ms() >= c->end_ms;
	return c->end_signal || c->is_enough ||
	       (c->request->command && fargs_command_poll(&c->command));
}

/* Returns the smaller of @ms and the time in ms until the end of the recording. */
static int until_end(const struct fargs_capture *c, int ms)
{
	uint64_t now = fargs_capture_now_ms();

	return c->end_ms <= now ? 0 : c->end_ms - now < (uint64_t)ms ? (int)(c->end_ms - now) : ms;
}

int fargs_capture_wait(struct fargs_capture *c, size_t nr, int ms)
{
	/* Further commands have to wait while the last one is being obeyed. */
	if (c->control.fd >= 0 && !c->is_asked)
		c->fds[nr++] = (struct pollfd){ .fd = c->control.fd, .events = POLLIN };
	if (c->pt.recorder)
		nr += fargs_pt_recorder_poll(c->pt.recorder, c->fds + nr,
					     2 * c->session.meta.info.nr_cpus);
	return poll(c->fds, nr, until_end(c, ms));
}

void fargs_capture_check_left(struct fargs_capture *c)
{
	if (c->is_left || !fargs_session_has_stopped(&c->session))
		return;
	c->is_left = true;
	fargs_capture_note(c->hooks, FARGS_NOTE_ALL_UNLOADED, NULL, 0, 0);
}

void fargs_capture_show(struct fargs_capture *c, struct fargs_capture_progress *progress)
{
	progress->capture = c;
	progress->now_ms = fargs_capture_now_ms();
	progress->unread = c->unread;
	progress->ring_bytes = c->session.fd < 0 ? 0 : c->session.meta.ring_bytes;
	if (c->hooks->progress(c->hooks->arg, progress))
		c->unread = 0;
}

/* Shows progress, and checks whether the output has recorded enough. */
static void ask_output(struct fargs_capture *c)
{
	struct fargs_capture_progress progress = { };
	bool is_done = false;

	c->output->tell(c->output_arg, &progress.taken, &is_done);
	c->is_enough |= is_done;
	fargs_capture_show(c, &progress);
}

/* Waits for a signal, records, the end of the session, events, or Intel PT data. */
static void wait_for_records(struct fargs_capture *c)
{
	size_t nr;

	/* The session's descriptor may be -1, which poll(2) ignores. */
	c->fds[0] = (struct pollfd){ .fd = c->signals.fd, .events = POLLIN };
	c->fds[1] = (struct pollfd){ .fd = c->session.fd,
				     .events = c->is_left ? POLLIN : POLLIN | POLLRDHUP };
	nr = c->events.perf ? fargs_perf_poll(c->events.perf, c->fds + 2,
					      c->session.meta.info.nr_cpus) : 0;
	if (fargs_capture_wait(c, nr + 2, FARGS_CAPTURE_READ_MS) > 0 && nr)
		fargs_perf_polled(c->events.perf, c->fds + 2, nr);
	if (c->fds[1].revents & POLLRDHUP)
		fargs_capture_check_left(c);
}

int fargs_capture_poll(struct fargs_capture *c)
{
	int ret;

	while (!fargs_capture_is_over(c)) {
		wait_for_records(c);
		ret = fargs_capture_control(c);
		if (!ret && fargs_capture_now_ms() >= c->next_clock_ms)
			ret = fargs_capture_take_clock(c);
		if (!ret)
			ret = fargs_capture_drain(c, false);
		if (ret)
			return ret;
		ask_output(c);
	}
	return 0;
}
