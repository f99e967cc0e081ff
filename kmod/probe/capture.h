/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the capture paths see of a session.
 */
#ifndef FARGS_CAPTURE_H
#define FARGS_CAPTURE_H

#include <linux/ftrace.h>
#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_funchash;
struct fargs_pool;
struct fargs_programs;
struct fargs_ring;
struct fargs_under;

/* What is in a filter is not what the session has: no count of functions equals it. */
#define FARGS_FILTER_UNKNOWN	U32_MAX

/*
 * One ftrace_ops and its functions: each function of a session is one probe's. The
 * hash is NULL while the ops is not registered. While it is, another one may take its
 * place when a module comes (probes.c): callbacks read the pointer once, with
 * preemption disabled, and use what they read.
 */
struct fargs_probe {
	struct ftrace_ops ops;
	const struct fargs_funchash *hash;
	u32 nr_filtered;	/* functions in its filter before START, or FARGS_FILTER_UNKNOWN */
	bool has_filter;	/* it is not empty, and never will be again */
};

/*
 * Set up before the first probe is registered and, but for the hashes, constant until
 * after the last one has been unregistered and waited for (session.c, probes.c).
 */
struct fargs_capture {
	struct fargs_probe plain;	/* FARGS_PATH_PLAIN */
	struct fargs_probe fetch;	/* FARGS_PATH_FETCH: entries of struct fargs_programs */
	unsigned long *tids;		/* bit per task id to trace; NULL: all */
	bool is_except;			/* tids: an id that nobody has is set */
	bool has_switches;		/* the probe of switches.c is there */
	struct fargs_ring __percpu *rings;
	struct fargs_pool *pool;	/* of calls that wait for their return; NULL: none do */
	struct fargs_under *under;	/* who is in a FARGS_LAYOUT_SCOPE; NULL: no such */
};

/* The callbacks of the probes, and the instructions that take their numbers. */
void fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);
unsigned long fargs_entry_plain_site(void);
void fargs_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);
unsigned long fargs_entry_fetch_site(void);
/*
 * What both of fetch and the tracepoints do with a call once it has its number @seq.
 * Preemption is disabled; enables it.
 */
void fargs_entry_capture(const struct fargs_programs *programs, struct fargs_ring *ring,
			 struct pt_regs *regs, unsigned long ip, unsigned long parent_ip,
			 u64 seq);
/* The same for sessions with capture->under. */
void fargs_under_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs);
void fargs_under_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			     struct ftrace_regs *fregs);

#endif
