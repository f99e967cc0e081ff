/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the capture paths see of a session.
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

/* What is in a filter is not what the session has: no count of functions equals it. */
#define FARGS_FILTER_UNKNOWN	U32_MAX

/*
 * One ftrace_ops and its functions: each function of a session is one probe's. The
 * hash is NULL while the ops is not registered. While it is, another one may take its
 * place when a module comes (session/probes.c): callbacks read the pointer once, with
 * preemption disabled, and use what they read.
 */
struct fargs_probe {
	struct ftrace_ops ops;
	struct fargs_funchash *hash;
	u32 nr_filtered;	/* functions in its filter before START, or FARGS_FILTER_UNKNOWN */
	bool has_filter;	/* it is not empty, and never will be again */
};

/*
 * Set up before the first probe is registered and, but for the hashes, constant until
 * after the last one has been unregistered and waited for (session/run.c, session/probes.c).
 */
struct fargs_capture {
	struct fargs_probe plain;	/* FARGS_PATH_PLAIN */
	struct fargs_probe fetch;	/* FARGS_PATH_FETCH: entries of struct fargs_programs */
	unsigned long *tids;		/* bit per task id to trace; NULL: all */
	bool is_except;			/* tids: an id that nobody has is set */
	bool has_switches;		/* the probe of probe/switches.c is there */
	struct fargs_ring __percpu *rings;
	struct fargs_pool *pool;	/* of calls that wait for their return; NULL: none do */
	struct fargs_scope *scope;	/* who is in a FARGS_LAYOUT_SCOPE; NULL: no such */
};

/**
 * fargs_entry_plain() - the callback of ftrace for functions without programs
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: that of the session's probe
 * @fregs: registers at the call
 *
 * Context: Any context, NMI included; RCU may not be watching.
 */
void fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);

/**
 * fargs_entry_plain_site() - where it takes sequence numbers
 *
 * Context: Any context.
 * Return: The address of the one instruction that does.
 */
unsigned long fargs_entry_plain_site(void);

/**
 * fargs_entry_fetch() - the callback of ftrace for functions with programs
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: that of the session's probe
 * @fregs: registers at the call
 *
 * Context: Any context, NMI included; RCU may not be watching.
 */
void fargs_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);

/**
 * fargs_entry_fetch_site() - where it takes sequence numbers
 *
 * Context: Any context.
 * Return: The address of the one instruction that does.
 */
unsigned long fargs_entry_fetch_site(void);

/**
 * fargs_entry_capture() - capture a call that has its sequence number
 * @programs: the function's or the tracepoint's
 * @ring: this CPU's ring
 * @regs: registers of the call
 * @ip: what the record calls it
 * @parent_ip: return address of the call
 * @seq: the number
 *
 * For both of fetch and the tracepoints. Enables preemption once.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_entry_capture(const struct fargs_programs *programs, struct fargs_ring *ring,
			 struct pt_regs *regs, unsigned long ip, unsigned long parent_ip,
			 u64 seq);

/**
 * fargs_scope_entry_plain() - fargs_entry_plain() of sessions with capture->under
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: that of the session's probe
 * @fregs: registers at the call
 *
 * Context: As fargs_entry_plain().
 */
void fargs_scope_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs);

/**
 * fargs_scope_entry_fetch() - fargs_entry_fetch() of sessions with capture->under
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @ops: that of the session's probe
 * @fregs: registers at the call
 *
 * Context: As fargs_entry_fetch().
 */
void fargs_scope_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs);

#endif
