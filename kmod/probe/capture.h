/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of a session that the capture paths use.
 */
#ifndef FARGS_KMOD_PROBE_CAPTURE_H
#define FARGS_KMOD_PROBE_CAPTURE_H

#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_funchash;
struct fargs_pool;
struct fargs_ring;
struct fargs_scope;
struct pid;

/*
 * Value of fargs_tracer.nr_filtered if ftrace's filter may differ from the session's functions.
 */
#define FARGS_FILTER_UNKNOWN	U32_MAX

/* The paths with ftrace callbacks are the first in enum fargs_path. */
#define FARGS_CAPTURE_PROBES	(FARGS_PATH_FETCH + 1)

/*
 * An ftrace_ops and what its callback needs. It belongs to a session, which prepares its filter, or
 * it traces functions of any number of sessions (session/tracers.c).
 *
 * While the ops is registered, the hash may be replaced: a callback reads the pointer once, with
 * preemption disabled, and uses only the hash that it has read.
 */
struct fargs_tracer {
	struct fargs_funchash *hash;
	/* Only calls in this scope are captured. NULL: all calls, or as probe/several.c decides. */
	struct fargs_scope *scope;
	struct ftrace_ops ops;
	/* Number of a session's functions in the filter of @ops, or FARGS_FILTER_UNKNOWN. */
	u32 nr_filtered;
	bool has_filter;	/* the filter of @ops is not empty; once set, this stays set */
};

/* The functions of a session with FARGS_PATH_PLAIN, or those with FARGS_PATH_FETCH. */
struct fargs_probe {
	struct fargs_funchash *hash;	/* NULL: no functions, or the session is not armed */
	enum fargs_path path;
	const struct fargs_capture *capture;	/* of the session */
	struct list_head node;		/* in the list of session/tracers.c; empty: not in it */
	/* Has the filter for the next START; NULL: not allocated, or the ops is registered. */
	struct fargs_tracer *prepared;
};

/*
 * Set up before the first probe is registered. Constant, except for @probes, until the last probe
 * has been unregistered and its callbacks have returned (session/run.c, session/probes.c).
 */
struct fargs_capture {
	/* What each call reads is on one cache line. */
	unsigned long *tids;		/* bitmap of task ids to trace */
	struct fargs_ring __percpu *rings;
	/* Slots for calls with a return probe; NULL: the session has no return probes. */
	struct fargs_pool *pool;
	/* The set of contexts in scope; NULL: no layout has FARGS_LAYOUT_SCOPE. */
	struct fargs_scope *scope;
	/*
	 * All tasks but some are traced, or all: bits in @tids are also set for ids that are not in
	 * use.
	 */
	bool is_except;
	bool has_switches;		/* the probe of probe/switches.c is registered */
	/*
	 * Process whose bit in @tids is set when it executes a program; NULL: none. The reference
	 * keeps its struct pid from being reused for another process.
	 */
	struct pid *exec_pid;
	struct fargs_probe probes[FARGS_CAPTURE_PROBES];	/* indexed by enum fargs_path */
};

/**
 * fargs_entry_plain_site() - find where the callback allocates sequence numbers
 *
 * Context: Any context.
 * Return: The address of the only instruction of fargs_entry_plain() that allocates them.
 */
unsigned long fargs_entry_plain_site(void);

/**
 * fargs_entry_plain() - capture a call of a function without programs
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: the ops of a struct fargs_tracer
 * @fregs: registers at the call
 *
 * The ftrace callback for FARGS_PATH_PLAIN.
 *
 * Context: Any context, NMI included; RCU may not be watching.
 */
void fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);

/**
 * fargs_entry_fetch_site() - find where the callback allocates sequence numbers
 *
 * Context: Any context.
 * Return: The address of the only instruction of fargs_entry_fetch() that allocates them.
 */
unsigned long fargs_entry_fetch_site(void);

/**
 * fargs_entry_fetch() - capture a call of a function with programs
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: the ops of a struct fargs_tracer
 * @fregs: registers at the call
 *
 * The ftrace callback for FARGS_PATH_FETCH.
 *
 * Context: Any context, NMI included; RCU may not be watching.
 */
void fargs_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);

/**
 * fargs_scope_entry_plain() - capture a call of a function without programs if it is in scope
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: the ops of a struct fargs_tracer, whose scope may be NULL
 * @fregs: registers at the call
 *
 * Replaces fargs_entry_plain() where a tracer was registered for a session with a scope.
 *
 * Context: Same as fargs_entry_plain().
 */
void fargs_scope_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs);

/**
 * fargs_scope_entry_fetch() - capture a call of a function with programs if it is in scope
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: the ops of a struct fargs_tracer, whose scope may be NULL
 * @fregs: registers at the call
 *
 * Replaces fargs_entry_fetch() where a tracer was registered for a session with a scope.
 *
 * Context: Same as fargs_entry_fetch().
 */
void fargs_scope_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs);

#endif
