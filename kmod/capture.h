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
struct fargs_ring;

/*
 * Set up before the first probe is registered and constant until after the
 * last one has been unregistered and waited for (session.c).
 */
struct fargs_capture {
	struct ftrace_ops plain;
	const struct fargs_funchash *hash;
	unsigned long *tids;		/* bit per task id to trace; NULL: all */
	bool is_except;			/* tids: an id that nobody has is set */
	struct fargs_ring __percpu *rings;
};

/* The callback of capture->plain, and the instruction that takes its numbers. */
void fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs);
unsigned long fargs_entry_plain_site(void);

#endif
