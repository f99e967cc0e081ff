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
struct fargs_ring;

/*
 * One ftrace_ops and its functions: each function of a session is one probe's. The
 * hash is constant while the ops is registered, and NULL while it is not.
 */
struct fargs_probe {
	struct ftrace_ops ops;
	const struct fargs_funchash *hash;
};

/*
 * Set up before the first probe is registered and constant until after the
 * last one has been unregistered and waited for (session.c, probes.c).
 */
struct fargs_capture {
	struct fargs_probe plain;	/* FARGS_PATH_PLAIN */
	struct fargs_probe fetch;	/* FARGS_PATH_FETCH: entries of struct fargs_programs */
	unsigned long *tids;		/* bit per task id to trace; NULL: all */
	bool is_except;			/* tids: an id that nobody has is set */
	struct fargs_ring __percpu *rings;
	struct fargs_pool *pool;	/* of calls that wait for their return; NULL: none do */
};

/* The callbacks of the probes, and the instructions that take their numbers. */
void fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);
unsigned long fargs_entry_plain_site(void);
void fargs_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);
unsigned long fargs_entry_fetch_site(void);

#endif
