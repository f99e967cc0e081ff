// SPDX-License-Identifier: GPL-2.0-only
#include "capture/request.h"

#include "uapi/fargs.h"

bool fargs_capture_request_has_trigger(const struct fargs_capture_request *r)
{
	return r->trigger.nr || r->trigger_tpoints.nr;
}

bool fargs_capture_request_has_calls(const struct fargs_capture_request *r)
{
	return r->wanted.nr || r->tpoints.nr;
}

static enum fargs_request_fault check_calls(const struct fargs_capture_request *r)
{
	if (fargs_capture_request_has_calls(r))
		return FARGS_REQUEST_IS_GOOD;
	if (!r->events.nr && !r->has_pt)
		return FARGS_REQUEST_IS_EMPTY;
	return r->under.nr ? FARGS_REQUEST_UNDER_ALONE :
	       r->trigger.nr ? FARGS_REQUEST_TRIGGER_ALONE :
	       r->trigger_tpoints.nr ? FARGS_REQUEST_TRIGGER_TPOINT_ALONE :
	       r->has_switches ? FARGS_REQUEST_SWITCHES_ALONE :
	       r->bind.is_graph ? FARGS_REQUEST_GRAPH_ALONE : FARGS_REQUEST_IS_GOOD;
}

static enum fargs_request_fault check_tpoints(const struct fargs_capture_request *r)
{
	return (r->tpoints.nr || r->trigger_tpoints.nr) && r->bind.is_only_errors ?
	       FARGS_REQUEST_TPOINT_ERRORS : FARGS_REQUEST_IS_GOOD;
}

static bool has_tasks(const struct fargs_capture_request *r)
{
	return r->pids.nr || r->tids.nr;
}

static enum fargs_request_fault check_events(const struct fargs_capture_request *r)
{
	if (!r->events.nr)
		return FARGS_REQUEST_IS_GOOD;
	if (r->flight.is_on)
		return FARGS_REQUEST_FLIGHT_EVENTS;
	if (r->uids.nr)
		return FARGS_REQUEST_UID_EVENTS;
	if (r->cgroups.nr)
		return FARGS_REQUEST_CGROUP_EVENTS;
	return r->command && has_tasks(r) && !r->is_follow && !r->has_all ?
	       FARGS_REQUEST_EVENTS_OF_BOTH : FARGS_REQUEST_IS_GOOD;
}

static enum fargs_request_fault check_pt(const struct fargs_capture_request *r)
{
	if (r->has_pt)
		return FARGS_REQUEST_IS_GOOD;
	if (r->pt_pause.nr || r->pt_resume.nr)
		return FARGS_REQUEST_ACTION_ALONE;
	return r->aux_bytes ? FARGS_REQUEST_AUX_ALONE :
	       r->flight.snapshot_bytes ? FARGS_REQUEST_SNAPSHOT_ALONE : FARGS_REQUEST_IS_GOOD;
}

static enum fargs_request_fault check_tasks(const struct fargs_capture_request *r)
{
	if (!r->is_follow)
		return r->has_all || r->command ? FARGS_REQUEST_IS_GOOD : FARGS_REQUEST_NO_TASKS;
	if (!has_tasks(r))
		return FARGS_REQUEST_FOLLOW_NOBODY;
	return r->has_all ? FARGS_REQUEST_FOLLOW_ALL : FARGS_REQUEST_IS_GOOD;
}

enum fargs_request_fault fargs_capture_request_check(const struct fargs_capture_request *r)
{
	enum fargs_request_fault fault = check_calls(r);

	if (!fault)
		fault = check_tpoints(r);
	if (!fault)
		fault = check_events(r);
	if (!fault)
		fault = check_pt(r);
	return fault ? fault : check_tasks(r);
}

unsigned int fargs_flight_request_count(const struct fargs_flight_request *r)
{
	return r->count ? r->count : r->is_split ? UINT32_MAX : 1;
}

uint64_t fargs_capture_request_ring_bytes(const struct fargs_capture_request *r)
{
	return r->flight.ring_bytes ? r->flight.ring_bytes : r->ring_bytes;
}

/*
 * If no records after a trigger are requested, the trigger freezes the rings at once, so that the
 * records before it are kept until they are read.
 */
static bool is_freezing(const struct fargs_capture_request *r)
{
	return r->flight.is_on && fargs_capture_request_has_trigger(r) && !r->flight.after_ns;
}

uint32_t fargs_capture_request_start_flags(const struct fargs_capture_request *r)
{
	return (is_freezing(r) ? FARGS_START_FREEZE : 0) |
	       (r->has_switches ? FARGS_START_SWITCHES : 0);
}
