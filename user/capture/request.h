/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Request for a recording: which calls of which tasks, what else to record, and for how long. Lists
 * contain unparsed strings, such as selectors. The creator of the request owns all memory.
 */
#ifndef FARGS_CAPTURE_REQUEST_H
#define FARGS_CAPTURE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "select/codegen/bind.h"
#include "source/perf_event/selection.h"
#include "source/pt/capture/sample_rule.h"

/* The flight recorder: rings are overwritten until a trigger, and then read. */
struct fargs_flight_request {
	bool is_on;
	uint64_t ring_bytes;	/* 0: use ring_bytes of struct fargs_capture_request */
	uint64_t snapshot_bytes;	/* how much of each CPU's Intel PT is read; 0: all */
	uint64_t after_ns;	/* time from a trigger until the rings are read */
	/* Number of triggers to handle; 0: one, or unlimited if is_split; UINT32_MAX: unlimited. */
	uint32_t count;
	bool is_split;		/* write a separate file for each trigger */
};

/* All zeroes: an empty request. */
struct fargs_capture_request {
	/* The members up to @trigger_tpoints are lists of selectors (fargs-select(7)). */
	struct fargs_list wanted;	/* functions to record */
	struct fargs_list tpoints;	/* tracepoints to record */
	struct fargs_list under;	/* record only inside calls of these functions */
	struct fargs_list trigger;	/* functions whose calls are triggers */
	struct fargs_list trigger_tpoints;	/* tracepoints whose hits are triggers */
	struct fargs_list unwanted;	/* globs for functions and tracepoints to exclude */
	struct fargs_list btf;		/* files or directories with additional BTF */
	/* Conditions and limits for all calls; bind.tsc_khz is ignored. */
	struct fargs_bind_options bind;
	struct fargs_list uids;		/* users of bind.filters, as in "0,1000-1999" */
	struct fargs_list cgroups;	/* directories of cgroups of bind.filters */
	struct fargs_list pids;		/* processes to record, as in "1,7-9" */
	struct fargs_list tids;		/* threads to record, as in "1,7-9" */
	struct fargs_list cpus;		/* CPUs to record, as in "0-3,7" */
	struct fargs_list comms;	/* globs for names of tasks to record */
	struct fargs_event_rules events;	/* formatted events to record */
	struct fargs_flight_request flight;
	bool is_any;			/* also functions whose arguments are not proven */
	bool is_missing_ok;		/* skip selectors that select nothing on this kernel */
	bool has_all;			/* record all tasks, not only the command's */
	bool is_follow;			/* record @pids, @tids and the tasks that these start */
	bool has_exec;			/* record also the calls of @command before its exec */
	bool has_switches;		/* record all context switches */
	bool has_pt;			/* record Intel PT */
	bool is_pt_tasks;		/* record Intel PT of some tasks only (pt_tasks.h) */
	const char *pt_terms;		/* terms of the Intel PT event; NULL: the default */
	struct fargs_list pt_filters;	/* address filters of Intel PT, or "traced" */
	/* Events that pause the trace, and that resume it; with the latter, it begins paused. */
	struct fargs_event_rules pt_pause, pt_resume;
	/*
	 * Events whose samples are in the trace ('aux-output'), or have the end of it, which is not
	 * recorded otherwise; and its size in samples of events that give none.
	 */
	struct fargs_pt_sample_rule *pt_samples;
	size_t nr_pt_samples;
	uint32_t aux_sample_bytes;
	bool has_pt_log;		/* report the attributes of the events of Intel PT */
	uint64_t aux_bytes;		/* size of each CPU's Intel PT buffer; 0: the default */
	uint64_t ring_bytes;		/* size of each CPU's ring; 0: the default */
	uint64_t duration_ns;		/* how long to record; 0: unlimited */
	/* Begin when CLOCK_REALTIME is a multiple of this, of at least 1 s; 0: at once. */
	uint64_t at_ns;
	uint32_t maxactive;	/* maximum number of calls in flight; 0: the default */
	/* Maximum number of functions whose return is recorded; 0: of all selected ones */
	uint32_t returns;
	const char *control;	/* where commands come from (capture/control.h); NULL: nowhere */
	int realtime;			/* SCHED_FIFO priority of the reader; 0: not realtime */
	char *const *argv;		/* command line to store in the recording */
	char *const *command;		/* program to run and its arguments; NULL: none */
};

/* Why a request is invalid, regardless of the machine. */
enum fargs_request_fault {
	FARGS_REQUEST_IS_GOOD,
	FARGS_REQUEST_IS_EMPTY,		/* records neither calls nor events nor Intel PT */
	/*
	 * The request has no functions or tracepoints to record, but has an option that requires
	 * some: --under, a function or a tracepoint as a trigger, context switches, or a graph.
	 */
	FARGS_REQUEST_UNDER_ALONE,
	FARGS_REQUEST_TRIGGER_ALONE,
	FARGS_REQUEST_TRIGGER_TPOINT_ALONE,
	FARGS_REQUEST_SWITCHES_ALONE,
	FARGS_REQUEST_GRAPH_ALONE,
	FARGS_REQUEST_TPOINT_ERRORS,	/* failed calls only, but tracepoints have no result */
	/*
	 * Formatted events are requested together with an option that does not support them: the
	 * flight recorder, a filter by user, or a filter by cgroup.
	 */
	FARGS_REQUEST_FLIGHT_EVENTS,
	FARGS_REQUEST_UID_EVENTS,
	FARGS_REQUEST_CGROUP_EVENTS,
	FARGS_REQUEST_EVENTS_OF_BOTH,	/* formatted events both of a command and of other tasks */
	FARGS_REQUEST_AUX_ALONE,	/* size of Intel PT buffers, but no Intel PT */
	FARGS_REQUEST_ACTION_ALONE,	/* events that pause Intel PT, but no Intel PT */
	FARGS_REQUEST_SNAPSHOT_ALONE,	/* size of snapshots of Intel PT, but no Intel PT */
	FARGS_REQUEST_FOLLOW_NOBODY,	/* tasks are to be followed, but none is given */
	FARGS_REQUEST_FOLLOW_ALL,	/* tasks are to be followed, but all are traced anyway */
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
