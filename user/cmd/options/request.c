// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/request.h"

#include "base/size.h"

#define ALONE(option)	"'" option "' needs functions or tracepoints: give some with '-f' or '-t'"

static const char *const texts[FARGS_REQUEST_FAULTS] = {
	[FARGS_REQUEST_IS_EMPTY] =
		"no functions are selected: give them with '-f', or tracepoints with '-t'",
	[FARGS_REQUEST_UNDER_ALONE] = ALONE("--under"),
	[FARGS_REQUEST_TRIGGER_ALONE] = ALONE("--trigger"),
	[FARGS_REQUEST_TRIGGER_TPOINT_ALONE] = ALONE("--trigger-tracepoint"),
	[FARGS_REQUEST_SWITCHES_ALONE] = ALONE("--switches"),
	[FARGS_REQUEST_GRAPH_ALONE] = ALONE("-g"),
	[FARGS_REQUEST_TPOINT_ERRORS] =
		"'--only-errors' is only for functions, because tracepoints return nothing: remove "
		"'-t'",
	[FARGS_REQUEST_FLIGHT_EVENTS] =
		"'--flight' keeps only calls, not events: remove '-e'",
	[FARGS_REQUEST_UID_EVENTS] =
		"'--uid' selects only calls, not events: remove '-e'",
	[FARGS_REQUEST_CGROUP_EVENTS] =
		"'--cgroup' selects only calls, not events: remove '-e'",
	[FARGS_REQUEST_EVENTS_OF_BOTH] =
		"'-e' traces events of either the command, or of '--pid' and '--tid': remove one "
		"of them",
	[FARGS_REQUEST_AUX_ALONE] =
		"'-m ,SIZE' sets the buffer of '--pt': add '--pt', or remove the comma",
	[FARGS_REQUEST_ACTION_ALONE] =
		"'--pt-pause' and '--pt-resume' are for '--pt': add it",
	[FARGS_REQUEST_SNAPSHOT_ALONE] =
		"'--flight=,SIZE' sets the snapshots of '--pt': add '--pt', or remove the comma",
	[FARGS_REQUEST_FOLLOW_NOBODY] =
		"'--follow' needs '--pid' or '--tid'; children of a command are always traced",
	[FARGS_REQUEST_FOLLOW_ALL] =
		"'--follow' is for some tasks, but '-a' traces all of them: remove one",
	[FARGS_REQUEST_NO_TASKS] =
		"no tasks are selected: give a command after '--', or '-a' for all tasks",
};

const char *fargs_request_fault_text(enum fargs_request_fault fault)
{
	return texts[fault];
}

/* Returns the option that caused @fault, as a prefix of the error's text; "": none. */
static const char *option_of(enum fargs_capture_fault fault)
{
	switch (fault) {
	case FARGS_FAULT_REALTIME:
		return "'--realtime': ";
	case FARGS_FAULT_COMMS:
		return "'--comm': ";
	case FARGS_FAULT_PT:
		return "'--pt': ";
	case FARGS_FAULT_PT_FILTER:
		return "'--pt-filter': ";
	case FARGS_FAULT_CONTROL:
		return "'--control': ";
	default:
		return "";
	}
}

void fargs_request_error_text(const struct fargs_capture_request *r,
			      const struct fargs_capture_error *err,
			      struct fargs_error_text *text)
{
	if (err->fault == FARGS_FAULT_MISSING)
		fargs_fail(text, 0, "%s ('--missing-ok' skips it)", err->text.text);
	else if (err->fault == FARGS_FAULT_TASKS)
		fargs_fail(text, 0, "no thread of '--tid' belongs to a process of '--pid'");
	else if (err->fault == FARGS_FAULT_AUX_BYTES)
		fargs_fail(text, 0, "'-m': %s", err->text.text);
	else
		fargs_fail(text, 0, "%s%s", option_of(err->fault), err->text.text);
}
