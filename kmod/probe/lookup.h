/* SPDX-License-Identifier: GPL-2.0-only */
/* What ftrace's callbacks do first: find the template of the function. */
#ifndef FARGS_KMOD_PROBE_LOOKUP_H
#define FARGS_KMOD_PROBE_LOOKUP_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "base/funchash.h"
#include "probe/capture.h"
#include "probe/several.h"
#include "prog/template.h"
#include "ring/ring.h"

/*
 * Disables preemption, and finds out whether the only session that traces a function also traces
 * the current task. If so, sets *@t to the function's template and *@ring to the session's ring of
 * this CPU, and returns true. Otherwise, returns false after it has done all that remains to do,
 * and enabled preemption.
 */
static __always_inline bool fargs_lookup(unsigned long ip, unsigned long parent_ip,
					 struct ftrace_ops *ops, struct pt_regs *regs,
					 struct fargs_template **t, struct fargs_ring **ring)
{
	const struct fargs_tracer *tracer = container_of(ops, struct fargs_tracer, ops);
	const struct fargs_several *several = NULL;
	const struct fargs_capture *capture;

	preempt_disable_notrace();
	if (likely(fargs_funchash_find(READ_ONCE(tracer->hash), ip, t))) {
		capture = (*t)->capture;
		if (likely(test_bit(current->pid, capture->tids))) {
			*ring = this_cpu_ptr(capture->rings);
			return true;
		}
		several = fargs_several_of(*t);
	}
	if (several)
		several->call(ip, parent_ip, several, regs);
	else
		preempt_enable_notrace();
	return false;
}

#endif
