// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: any that a tracepoint fires in, NMI included. RCU is watching: the kernel sees to
 * that for tracepoints. 6.1 and 6.12 call probes with preemption disabled, 7.2 does not,
 * so it is done here. Nothing in here is traced (Kbuild), and
 * tracepoints fire in none of it but where a program faults: then the guard of programs
 * (probe/guard.h) ends it, as it does for functions. What wakes a reader may fire some: those
 * nest, and wake nobody.
 *
 * Who frees: the point, its template and the rings live until the probe is unregistered and
 * tracepoint_synchronize_unregister() has returned (session/tpoint.c). If the module that
 * owns the tracepoint goes, nothing of its own runs any more, and nothing of it is
 * looked at here. This module cannot go: a session holds it.
 */
#include "probe/tpoint.h"

#include <linux/sched.h>

#include "arch/cpu.h"
#include "arch/regs.h"
#include "arch/tpoint.h"
#include "probe/capture.h"
#include "probe/scope.h"
#include "prog/template.h"
#include "ring/ring.h"

extern const char fargs_seq_site_tpoint[];

unsigned long fargs_tpoint_site(void)
{
	return (unsigned long)fargs_seq_site_tpoint;
}

void notrace fargs_tpoint_call(struct pt_regs *regs)
{
	const struct fargs_tpoint *point = (const void *)fargs_arch_first_arg(regs);
	const struct fargs_capture *capture = point->capture;
	struct fargs_ring *ring;
	u64 seq;

	preempt_disable_notrace();
	if (unlikely(capture->tids) && !test_bit(current->pid, capture->tids))
		goto out;
	if (unlikely(capture->scope) && !fargs_scope_is_inside(capture->scope))
		goto out;
	ring = this_cpu_ptr(capture->rings);
	seq = fargs_arch_take_number(&ring->seq, fargs_seq_site_tpoint);
	/* Enables preemption. */
	fargs_entry_capture(fargs_template_programs(point->template), ring, regs, point->ip,
			    fargs_arch_return_address(regs), seq);
	return;
out:
	preempt_enable_notrace();
}
