/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Request for a recording: which calls of which tasks, what else to record, and for how long.
 * Lists hold words as the user wrote them. The creator of the request owns all memory.
 */
#ifndef FARGS_CAPTURE_REQUEST_H
#define FARGS_CAPTURE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "select/codegen/bind.h"
#include "source/perf_event/selection.h"

/* The flight recorder: rings are overwritten until a trigger, and then read. */
struct fargs_flight_request {
	bool is_on;
	uint64_t ring_bytes;	/* 0: ring_bytes of struct fargs_capture_request */
	uint64_t after_ns;	/* time from a trigger until the rings are read */
	uint32_t count;		/* number of triggers to handle; 0: one, or unlimited if is_split */
	bool is_split;		/* write a separate file for each trigger */
};

/* All zeroes: an empty request. */
struct fargs_capture_request {
	/* Selectors (fargs-select(7)). */
	struct fargs_list wanted;	/* functions to record */
	struct fargs_list tpoints;	/* tracepoints to record */
	struct fargs_list under;	/* record only inside calls of these functions */
	struct fargs_list trigger;	/* functions that trigger */
	struct fargs_list trigger_tpoints;	/* tracepoints that trigger */
	struct fargs_list unwanted;	/* globs: functions and tracepoints to exclude */
	struct fargs_list btf;		/* files or directories with additional BTF */
	/* Conditions and limits for all calls; its tsc_khz is ignored. */
	struct fargs_bind_options bind;
	bool has_uids;			/* bind.filters have conditions on users */
	bool has_cgroups;		/* bind.filters have conditions on cgroups */
	struct fargs_list pids;		/* "1,7-9": processes */
	struct fargs_list tids;		/* "1,7-9": threads */
	struct fargs_list cpus;		/* "0-3,7" */
	struct fargs_list comms;	/* globs of tasks' names */
	struct fargs_event_rules events;	/* formatted events */
	struct fargs_flight_request flight;
	bool has_all;			/* all tasks, not only the command's */
	bool is_follow;			/* follow pids, tids, and the tasks that these start */
	bool has_switches;		/* all context switches */
	bool has_pt;			/* Intel PT */
	const char *pt_terms;		/* terms of Intel PT; NULL: the default */
	uint64_t aux_bytes;		/* buffer of Intel PT for each CPU; 0: the default */
	uint64_t ring_bytes;		/* ring of each CPU; 0: the default */
	uint64_t duration_ns;		/* 0: unlimited */
	uint32_t maxactive;	/* maximum number of calls in flight; 0: the default */
	int realtime;			/* priority of SCHED_FIFO; 0: not realtime */
	char *const *argv;		/* command line to store in the recording */
	char *const *command;		/* program to run and its arguments; NULL: none */
};

/* Why a request is invalid, regardless of the machine. */
enum fargs_request_fault {
	FARGS_REQUEST_IS_GOOD,
	FARGS_REQUEST_IS_EMPTY,		/* neither calls nor events nor Intel PT */
	/* The following options need functions or tracepoints to record: */
	FARGS_REQUEST_UNDER_ALONE,
	FARGS_REQUEST_TRIGGER_ALONE,
	FARGS_REQUEST_TRIGGER_TPOINT_ALONE,
	FARGS_REQUEST_SWITCHES_ALONE,
	FARGS_REQUEST_GRAPH_ALONE,
	FARGS_REQUEST_TPOINT_ERRORS,	/* errors only, but tracepoints have no result */
	/*
	 * Formatted events cannot be recorded by a flight recorder, nor filtered by user or cgroup:
	 */
	FARGS_REQUEST_FLIGHT_EVENTS,
	FARGS_REQUEST_UID_EVENTS,
	FARGS_REQUEST_CGROUP_EVENTS,
	FARGS_REQUEST_EVENTS_OF_BOTH,	/* formatted events of both the command and other tasks */
	FARGS_REQUEST_AUX_ALONE,	/* buffer size for Intel PT, but Intel PT is not recorded */
	FARGS_REQUEST_FLIGHT_PT_ALONE,	/* flight recorder with Intel PT, but without calls */
	FARGS_REQUEST_FOLLOW_NOBODY,	/* follow, but no task is given */
	FARGS_REQUEST_FOLLOW_ALL,	/* follow, but all tasks are traced anyway */
	FARGS_REQUEST_NO_TASKS,		/* neither all tasks, nor tasks to follow, nor a command */
	FARGS_REQUEST_FAULTS,
};

/* Returns the fault of @r that comes first in the enum, or FARGS_REQUEST_IS_GOOD. */
enum fargs_request_fault fargs_capture_request_check(const struct fargs_capture_request *r);
/* Does @r have triggers? */
bool fargs_capture_request_has_trigger(const struct fargs_capture_request *r);
/* Returns the number of triggers after which the flight recorder ends; UINT32_MAX: unlimited. */
unsigned int fargs_flight_request_count(const struct fargs_flight_request *r);
/* Returns the size of each CPU's ring in bytes; 0: the default. */
uint64_t fargs_capture_request_ring_bytes(const struct fargs_capture_request *r);
/* Returns the FARGS_START_* flags for the session, without those that select tasks. */
uint32_t fargs_capture_request_start_flags(const struct fargs_capture_request *r);
/* Does @r have functions or tracepoints to record, which need the module? */
bool fargs_capture_request_has_calls(const struct fargs_capture_request *r);

#endif
