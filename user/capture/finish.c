// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "capture/state.h"

/* Time to wait for the command to end after sending it a signal. */
#define COMMAND_END_MS	2000

static int detach(struct fargs_capture *c)
{
	int ret;

	if (c->session.is_running)
		c->hooks->phase(c->hooks->arg, FARGS_CAPTURE_DETACHING, c->session.meta.nr_funcs);
	ret = fargs_session_stop(&c->session, &c->err.text);
	if (!ret)
		c->hooks->phase(c->hooks->arg, FARGS_CAPTURE_DETACHED, c->session.meta.nr_funcs);
	if (!ret && c->events.perf)
		ret = fargs_perf_stop(c->events.perf, &c->err.text);
	return ret;
}

/*
 * Reads the records since the last pass over the rings or, in a flight recorder, since the last
 * trigger.
 */
static int read_rest(struct fargs_capture *c)
{
	int ret;

	if (c->flight)
		return c->is_done ? 0 : fargs_flight_keep(c->flight, &c->err.text);
	ret = fargs_capture_take_clock(c);
	return ret ? ret : fargs_capture_drain(c, true);
}

static int count(struct fargs_capture *c, struct fargs_stats *stats)
{
	unsigned int i;
	int ret = 0;

	if (c->session.fd >= 0)
		ret = fargs_session_stats(&c->session, stats, &c->err.text);
	/* As if a condition had rejected the calls made while recording was disabled. */
	for (i = 0; !ret && c->session.meta.stats && i < c->session.meta.info.nr_cpus; i++)
		c->session.meta.stats[i].rejected += c->nr_dropped[i];
	if (ret || !c->events.perf)
		return ret;
	c->session.meta.event_stats = fargs_perf_stats(c->events.perf);
	return c->session.meta.event_stats ? 0 :
	       fargs_fail(&c->err.text, ENOMEM, "no memory for the counters");
}

int fargs_capture_finish(struct fargs_capture *c, struct fargs_stats *stats)
{
	/*
	 * Stop Intel PT before the probes are removed: it must not trace code without probes,
	 * because the recorded copy of the code contains them.
	 */
	int ret = c->pt.recorder ? fargs_pt_recorder_stop(c->pt.recorder, &c->err.text) : 0;

	fargs_capture_check_left(c);
	if (!ret)
		ret = detach(c);
	if (!ret)
		ret = read_rest(c);
	/*
	 * fargs_pt_finish() is not needed if a flight recorder with one file per trigger has
	 * handled its last trigger: all data and counters of Intel PT are saved, and no file is
	 * open. With a single file, only the counters are still to be written.
	 */
	if (!ret && !(c->is_done && c->request->flight.is_split))
		ret = fargs_pt_finish(&c->pt, !c->is_done, &c->err.text);
	if (!ret)
		ret = count(c, stats);
	if (!ret)
		ret = c->output->end(c->output_arg, &c->err.text);
	/* A snapshot that was asked for in the last moment is what is kept at the end. */
	if (!ret)
		fargs_capture_control_kept(c);
	return ret;
}

/* Waits until the command ends or a signal requests the end. */
static void wait_for_command(struct fargs_capture *c)
{
	struct pollfd fd = { .fd = c->signals.fd, .events = POLLIN };

	c->is_enough = false;
	c->end_ms = UINT64_MAX;
	while (!fargs_capture_is_over(c))
		poll(&fd, 1, -1);
}

int fargs_capture_end_command(struct fargs_capture *c)
{
	struct fargs_command *command = &c->command;

	if (!c->request->command)
		return 0;
	/*
	 * The command may still be running: the recording ended because the requested amount or all
	 * triggers were recorded, or because the output has no reader.
	 */
	if (c->is_done || c->is_enough)
		wait_for_command(c);
	if (!command->has_ended) {
		/* The terminal may already have sent this signal; a second one does no harm. */
		kill(command->pid, c->end_signal ? c->end_signal : SIGTERM);
		if (!fargs_command_wait(command, COMMAND_END_MS)) {
			fargs_capture_note(c->hooks, FARGS_NOTE_COMMAND_LEFT, command->name,
					   command->pid, 0);
			return 0;
		}
	}
	return fargs_command_exit_code(command);
}
