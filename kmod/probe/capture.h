/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of a session that the capture paths use.
 */
#ifndef FARGS_KMOD_PROBE_CAPTURE_H
#define FARGS_KMOD_PROBE_CAPTURE_H

#include <linux/ftrace.h>
#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_funchash;
struct fargs_pool;
struct fargs_programs;
struct fargs_ring;
struct fargs_scope;
struct pid;

/*
 * Value of fargs_probe.nr_filtered if ftrace's filter may differ from the session's functions.
 */
#define FARGS_FILTER_UNKNOWN	U32_MAX

/*
 * An ftrace_ops and the functions it traces. A session has one for its functions with
 * FARGS_PATH_PLAIN and one for those with FARGS_PATH_FETCH.
 *
 * The hash is NULL while the ops is not registered. While the ops is registered, the hash may be
 * replaced when a module is loaded (session/probes.c): a callback reads the pointer once, with
 * preemption disabled, and uses only the hash that it has read.
 */
struct fargs_probe {
	struct ftrace_ops ops;
	struct fargs_funchash *hash;
	/* Number of functions in the filter of @ops before START, or FARGS_FILTER_UNKNOWN. */
	u32 nr_filtered;
	bool has_filter;	/* the filter of @ops is not empty; once set, this stays set */
};

/*
 * Set up before the first probe is registered. Constant, except for the hashes, until the last
 * probe has been unregistered and its callbacks have returned (session/run.c, session/probes.c).
 */
struct fargs_capture {
	/* What each call reads, from @plain.hash on, is on one cache line or two. */
	struct fargs_probe plain;	/* functions with FARGS_PATH_PLAIN */
	unsigned long *tids;		/* bitmap of task ids to trace */
	struct fargs_ring __percpu *rings;
	/* Slots for calls with a return probe; NULL: the session has no return probes. */
	struct fargs_pool *pool;
	/* The set of contexts in scope; NULL: no layout has FARGS_LAYOUT_SCOPE. */
	struct fargs_scope *scope;
	struct fargs_probe fetch;	/* functions with FARGS_PATH_FETCH */
	/*
	 * All tasks but some are traced, or all: bits in @tids are also set for ids that are not in
	 * use.
	 */
	bool is_except;
	/*
	 * Process whose bit in @tids is set when it executes a program; NULL: none. The reference
	 * keeps its struct pid from being reused for another process.
	 */
	struct pid *exec_pid;
	bool has_switches;		/* the probe of probe/switches.c is registered */
};

/**
 * fargs_entry_plain() - capture a call of a function without programs
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: the ops of the session's plain probe
 * @fregs: registers at the call
 *
 * The ftrace callback for FARGS_PATH_PLAIN.
 *
 * Context: Any context, NMI included; RCU may not be watching.
 */
void fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);

/**
 * fargs_entry_plain_site() - find where the plain path allocates sequence numbers
 *
 * Context: Any context.
 * Return: The address of the only instruction of the path that allocates sequence numbers.
 */
unsigned long fargs_entry_plain_site(void);

/**
 * fargs_entry_fetch() - capture a call of a function with programs
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: the ops of the session's fetch probe
 * @fregs: registers at the call
 *
 * The ftrace callback for FARGS_PATH_FETCH.
 *
 * Context: Any context, NMI included; RCU may not be watching.
 */
void fargs_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);

/**
 * fargs_entry_fetch_site() - find where the fetch path allocates sequence numbers
 *
 * Context: Any context.
 * Return: The address of the only instruction of the path that allocates sequence numbers.
 */
unsigned long fargs_entry_fetch_site(void);

/**
 * fargs_entry_capture() - capture an event that already has a sequence number
 * @ip: the record's ip
 * @parent_ip: return address of the call
 * @programs: the programs of the tracepoint
 * @regs: registers of the call
 * @ring: this CPU's ring
 * @seq: the sequence number
 *
 * Called for tracepoints, which are captured like functions with programs once their sequence
 * number is allocated. The caller has disabled preemption; this function enables it again.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_entry_capture(unsigned long ip, unsigned long parent_ip,
			 const struct fargs_programs *programs,
			 struct pt_regs *regs, struct fargs_ring *ring, u64 seq);

/**
 * fargs_scope_entry_plain() - capture a call of a function without programs if it is in scope
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: the ops of the session's plain probe
 * @fregs: registers at the call
 *
 * Replaces fargs_entry_plain() in sessions that have a scope.
 *
 * Context: Same as fargs_entry_plain().
 */
void fargs_scope_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs);

/**
 * fargs_scope_entry_fetch() - capture a call of a function with programs if it is in scope
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: the ops of the session's fetch probe
 * @fregs: registers at the call
 *
 * Replaces fargs_entry_fetch() in sessions that have a scope.
 *
 * Context: Same as fargs_entry_fetch().
 */
void fargs_scope_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs);

#endif
