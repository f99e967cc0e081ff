// SPDX-License-Identifier: GPL-2.0-only
#include "capture/capture.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "capture/state.h"
#include "session/task_check.h"

static void capture_deinit(struct fargs_capture *c)
{
	fargs_flight_destroy(c->flight);
	fargs_rings_destroy(c->rings);
	if (c->has_session)
		fargs_session_deinit(&c->session);
	fargs_events_deinit(&c->events);
	fargs_pt_deinit(&c->pt);
	fargs_control_close(&c->control);
	free(c->nr_dropped);
	free(c->fds);
	fargs_selection_deinit(&c->selection);
	fargs_command_deinit(&c->command);
	if (c->has_signals)
		fargs_signals_deinit(&c->signals);
}

/*
 * Parses the selectors, checks the tasks of the request, blocks signals and forks the command.
 * These steps need no privileges.
 */
static int begin(struct fargs_capture *c)
{
	int ret = fargs_selection_read(&c->selection, c->request, &c->err.text);

	/* With is_follow, the tasks are looked up when everything else is ready. */
	if (!ret && !c->request->is_follow)
		ret = fargs_task_check(&c->request->pids, &c->request->tids, &c->err.text);
	if (!ret)
		ret = fargs_signals_init(&c->signals, &c->err.text);
	if (ret)
		return ret;
	c->has_signals = true;
	if (c->request->control)
		ret = fargs_control_open(&c->control, c->request->control, &c->err.text);
	if (ret)
		c->err.fault = FARGS_FAULT_CONTROL;
	if (ret)
		return ret;
	/* Fork the command's process before opening descriptors, which it would inherit. */
	return c->request->command ? fargs_command_init(&c->command, c->request->command,
							&c->signals, &c->err.text) : 0;
}

static int open_session(struct fargs_capture *c)
{
	int ret = fargs_capture_request_has_calls(c->request) ?
		  fargs_session_init(&c->session, &c->err.text) :
		  fargs_session_init_bare(&c->session, &c->err.text);

	c->has_session = !ret;
	return ret;
}

/* Is there anything to record without the module? */
static bool is_bare_enough(const struct fargs_capture *c)
{
	const struct fargs_capture_request *r = c->request;

	return (c->events.selection.nr || r->has_pt) && !r->flight.is_on && !r->has_switches &&
	       !r->under.nr && !fargs_capture_request_has_trigger(r);
}

/*
 * Goes on with events or Intel PT if all functions and tracepoints of the request are missing, or
 * fails if nothing else is to be recorded.
 */
static int go_bare(struct fargs_capture *c)
{
	char *names __cleanup_free = NULL;

	if (is_bare_enough(c)) {
		fargs_session_deinit(&c->session);
		c->has_session = false;
		c->has_session = !fargs_session_init_bare(&c->session, &c->err.text);
		return c->has_session ? 0 : -EIO;
	}
	names = fargs_missing_text(&c->selection.missing);
	return fargs_fail(&c->err.text, ENOENT, "nothing is left to trace: this kernel has nothing "
			  "traceable for %s", names ? names : "the selectors");
}

/* Takes seconds. A signal may end it, because nothing is armed yet. */
static int find_calls(struct fargs_capture *c)
{
	const struct fargs_info *info = &c->session.meta.info;
	int ret;

	c->hooks->phase(c->hooks->arg, FARGS_CAPTURE_READING, 0);
	fargs_signals_set_may_end(&c->signals, true);
	ret = fargs_selection_load(&c->selection, info, &c->err.text);
	if (!ret)
		ret = fargs_selection_find(&c->selection, info, c->hooks, &c->err.text);
	fargs_signals_set_may_end(&c->signals, false);
	return ret;
}

/*
 * Opens the session and selects the functions. Checks the machine before the selectors, because
 * checking selectors requires the kernel's BTF, which takes seconds to read.
 */
static int prepare(struct fargs_capture *c)
{
	bool has_calls = fargs_capture_request_has_calls(c->request);
	struct fargs_missing *missing = &c->selection.missing;
	int ret = fargs_events_choose(&c->events, c->request, missing, &c->err.text);

	if (!ret)
		ret = fargs_pt_choose(&c->pt, c->request, &c->err);
	if (!ret)
		ret = open_session(c);
	if (!ret && has_calls)
		ret = find_calls(c);
	if (!ret && missing->nr &&
	    !(has_calls ? fargs_selection_is_any(&c->selection) : is_bare_enough(c)))
		ret = go_bare(c);
	if (ret && missing->has_failed)
		c->err.fault = FARGS_FAULT_MISSING;
	return ret;
}

static int fail(const struct fargs_capture *c, int ret)
{
	c->hooks->failed(c->hooks->arg, &c->err);
	return ret;
}

/* Runs the recording to its end, and completes the output. */
static int record(struct fargs_capture *c, struct fargs_stats *stats)
{
	int ret;

	if (c->request->duration_ns)
		c->end_ms = (c->begin_ms ? c->begin_ms : fargs_capture_now_ms()) +
			    (c->request->duration_ns + 999999) / 1000000;
	ret = c->request->flight.is_on ? fargs_capture_poll_flight(c) : fargs_capture_poll(c);
	c->hooks->phase(c->hooks->arg, FARGS_CAPTURE_ENDING, c->session.meta.nr_funcs);
	if (!ret)
		ret = fargs_capture_finish(c, stats);
	if (ret == -EPIPE)
		c->is_done = true;
	else if (ret)
		fail(c, ret);
	/* Remove the probes even after a failure. */
	if (c->session.is_running)
		fargs_session_stop(&c->session, NULL);
	return ret;
}

static void report_outcome(const struct fargs_capture *c, const struct fargs_stats *stats)
{
	struct fargs_pt_outcome pt;
	const struct fargs_capture_outcome outcome = {
		.meta = &c->session.meta, .stats = stats, .missing = &c->selection.missing,
		.pt = c->pt.recorder ? &pt : NULL,
	};

	if (c->pt.recorder)
		fargs_pt_sum_up(&c->pt, &pt);
	c->hooks->ended(c->hooks->arg, &outcome);
}

int fargs_capture_run(const struct fargs_capture_request *request,
		      const struct fargs_capture_output *output, void *output_arg,
		      const struct fargs_capture_hooks *hooks, int *command_status)
{
	struct fargs_capture c __cleanup_with(capture_deinit) = {
		.request = request, .output = output, .output_arg = output_arg, .hooks = hooks,
		.end_ms = UINT64_MAX, .control = FARGS_CONTROL_CLOSED,
	};
	struct fargs_stats stats = { };
	int ret = begin(&c), status;

	*command_status = 0;
	if (!ret)
		ret = prepare(&c);
	if (ret)
		return fail(&c, ret);
	ret = fargs_capture_setup(&c);
	if (ret) {
		fail(&c, ret);
		output->cancel(output_arg);
		if (c.command.has_ended)
			*command_status = fargs_command_exit_code(&c.command);
		return ret;
	}
	ret = record(&c, &stats);
	if (!ret)
		report_outcome(&c, &stats);
	status = fargs_capture_end_command(&c);
	if (ret && ret != -EPIPE)
		return ret;
	*command_status = status;
	return 0;
}
