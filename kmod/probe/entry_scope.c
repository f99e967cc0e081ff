// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ftrace callbacks of a session with a scope. A call out of scope gets no sequence number, like
 * a call that the task filter excludes. Context and lifetime: as in probe/entry.c.
 *
 * When a second session starts, session/tracers.c replaces the tracer's hash and then clears its
 * scope: the functions of a session with a scope are then left to probe/several.c, which checks the
 * scope itself. So where the scope is NULL here, the callback must find the new hash, hence the
 * barrier. The set is freed after a wait for all sections with preemption disabled.
 */
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/preempt.h>

#include "probe/capture.h"
#include "probe/scope.h"

static __always_inline bool is_in_scope(struct ftrace_ops *ops)
{
	struct fargs_scope *scope;
	bool is_inside;

	preempt_disable_notrace();
	scope = READ_ONCE(container_of(ops, struct fargs_tracer, ops)->scope);
	smp_rmb();
	is_inside = !scope || fargs_scope_is_inside(scope);
	preempt_enable_notrace();
	return is_inside;
}

void notrace fargs_scope_entry_plain(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (is_in_scope(ops))
		fargs_entry_plain(ip, parent_ip, ops, fregs);
}

void notrace fargs_scope_entry_fetch(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (is_in_scope(ops))
		fargs_entry_fetch(ip, parent_ip, ops, fregs);
}
