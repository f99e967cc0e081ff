// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "capture/state.h"

static void report_warning(const struct fargs_capture *c, const char *text)
{
	fargs_capture_note(c->hooks, FARGS_NOTE_WARNING, text, 0, 0);
}

static void acknowledge(struct fargs_capture *c)
{
	int ret = fargs_control_ack(&c->control);
	char text[256];

	if (!ret)
		return;
	snprintf(text, sizeof(text), "'--control': a command could not be acknowledged: %s",
		 ret == -EAGAIN || ret == -EPIPE ? "nobody reads the acknowledgements" :
		 strerror(-ret));
	report_warning(c, text);
}

/*
 * Stops recording until enable(). What has been recorded before is read first, so that it is not
 * taken for what happens from now on.
 */
static int disable(struct fargs_capture *c)
{
	int ret = 0;

	if (c->pt.recorder)
		ret = fargs_pt_recorder_hold(c->pt.recorder, &c->err.text);
	if (!ret && c->events.perf)
		ret = fargs_perf_pause(c->events.perf, true, &c->err.text);
	if (ret)
		return ret;
	ret = c->flight ? fargs_flight_pause(c->flight, true, &c->err.text) :
	      c->request->flight.is_on ? 0 : fargs_capture_drain(c, false);
	c->is_disabled = true;
	return ret;
}

static int enable(struct fargs_capture *c)
{
	int ret = c->flight ? fargs_flight_pause(c->flight, false, &c->err.text) :
		  c->request->flight.is_on ? 0 : fargs_capture_drain(c, false);

	c->is_disabled = false;
	if (!ret && c->events.perf)
		ret = fargs_perf_pause(c->events.perf, false, &c->err.text);
	if (!ret && c->pt.recorder)
		ret = fargs_pt_recorder_go_on(c->pt.recorder, &c->err.text);
	return ret;
}

static void list_line(const struct fargs_capture *c, const char *name)
{
	fargs_capture_note(c->hooks, FARGS_NOTE_LINE, name, 0, 0);
}

/* Lists what is recorded, a line each. */
static void list(const struct fargs_capture *c)
{
	const struct fargs_event_selection *events = &c->events.selection;
	char text[512];
	size_t i;

	for (i = 0; i < c->session.meta.nr_funcs; i++)
		list_line(c, c->session.meta.funcs[i].name);
	for (i = 0; i < events->nr; i++) {
		snprintf(text, sizeof(text), "%s:%s", events->matches[i].event->system,
			 events->matches[i].event->name);
		list_line(c, text);
	}
	if (!c->pt.recorder)
		return;
	snprintf(text, sizeof(text), "intel_pt/%s", c->pt.terms.text);
	list_line(c, text);
}

static void refuse(const struct fargs_capture *c, const char *command)
{
	char text[256], shown[FARGS_CONTROL_MAX];
	size_t i;

	/* The command was written by another process, and may contain anything. */
	for (i = 0; command[i]; i++)
		shown[i] = isprint((unsigned char)command[i]) ? command[i] : '?';
	shown[i] = '\0';
	snprintf(text, sizeof(text), "'--control': '%s' is not a command: the commands are enable, "
		 "disable, snapshot, stop, ping and evlist", shown);
	report_warning(c, text);
}

/* Returns 0 or -errno; *@is_done: the command is to be acknowledged. */
static int obey(struct fargs_capture *c, enum fargs_control_verb verb, const char *text,
		bool *is_done)
{
	*is_done = true;
	switch (verb) {
	case FARGS_CONTROL_ENABLE:
		return c->is_disabled ? enable(c) : 0;
	case FARGS_CONTROL_DISABLE:
		return c->is_disabled ? 0 : disable(c);
	case FARGS_CONTROL_SNAPSHOT:
		*is_done = false;
		if (!c->request->flight.is_on)
			report_warning(c, "'--control': 'snapshot' needs '--flight'");
		c->is_asked = c->request->flight.is_on;
		c->is_ack_due = c->is_asked;
		return 0;
	case FARGS_CONTROL_STOP:
		c->end_signal = SIGTERM;
		return 0;
	case FARGS_CONTROL_EVLIST:
		list(c);
		return 0;
	case FARGS_CONTROL_UNKNOWN:
		*is_done = false;
		refuse(c, text);
		return 0;
	default:
		return 0;
	}
}

int fargs_capture_control(struct fargs_capture *c)
{
	char text[FARGS_CONTROL_MAX];
	enum fargs_control_verb verb;
	bool is_done;
	int ret = 0;

	/* Commands after a snapshot wait until it has been taken. */
	while (!ret && !c->is_asked && !c->end_signal) {
		verb = fargs_control_next(&c->control, text);
		if (verb == FARGS_CONTROL_NONE)
			break;
		ret = obey(c, verb, text, &is_done);
		if (!ret && is_done)
			acknowledge(c);
	}
	return ret;
}

void fargs_capture_control_kept(struct fargs_capture *c)
{
	if (c->is_ack_due)
		acknowledge(c);
	c->is_ack_due = false;
}
