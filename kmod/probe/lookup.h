/* SPDX-License-Identifier: GPL-2.0-only */
/* What ftrace's callbacks do first: find the template of the function. */
#ifndef FARGS_KMOD_PROBE_LOOKUP_H
#define FARGS_KMOD_PROBE_LOOKUP_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "base/funchash.h"
#include "probe/capture.h"
#include "probe/several.h"
#include "prog/template.h"

/*
 * Sets *@t to the template of a function, or to NULL if it has been dropped, and *@capture to that
 * of the only session that traces the function. Returns whether it also traces the current task.
 */
static __always_inline bool fargs_lookup(unsigned long ip, struct ftrace_ops *ops,
					 struct fargs_template **t,
					 const struct fargs_capture **capture)
{
	const struct fargs_tracer *tracer = container_of(ops, struct fargs_tracer, ops);

	if (likely(fargs_funchash_find(READ_ONCE(tracer->hash), ip, t))) {
		*capture = (*t)->capture;
		return likely(test_bit(current->pid, (*capture)->tids));
	}
	*t = NULL;
	return false;
}

/* Does the rest of a callback for which fargs_lookup() has returned false. Enables preemption. */
static __always_inline void fargs_lookup_skip(unsigned long ip, unsigned long parent_ip,
					      struct fargs_template *t, struct pt_regs *regs)
{
	const struct fargs_several *several = t ? fargs_several_of(t) : NULL;

	if (several)
		several->call(ip, parent_ip, several, regs);
	else
		preempt_enable_notrace();
}

#endif
