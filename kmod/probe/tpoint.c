// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: any context in which a tracepoint fires, NMI included. The kernel ensures that RCU is
 * watching. 6.1 and 6.12 call probes with preemption disabled; 7.2 does not. So
 * fargs_tpoint_call() disables it on every kernel.
 *
 * Recursion: nothing in this file is traced (Kbuild). Tracepoints fire inside this probe only in
 * three cases. If a program faults, the guard of programs (probe/guard.h) stops the recursion, as
 * for functions. Waking the reader may fire tracepoints; their events do not wake the reader again.
 * fargs_iterator_caller() may call the unwinder, whose functions ftrace can trace, and which may
 * fire tracepoints itself; the nesting of these calls is limited (arch/x86/iterator.c).
 *
 * Lifetime: the struct fargs_tpoint, its template and the rings are freed after the probe has been
 * unregistered and tracepoint_synchronize_unregister() has returned (session/tpoint.c). When the
 * module that owns the tracepoint is unloaded, its code no longer runs, and this probe accesses no
 * memory of the module. A session holds a reference to fargs, which therefore cannot be unloaded.
 */
#include "probe/tpoint.h"

#include <linux/sched.h>

#include "arch/cpu.h"
#include "arch/iterator.h"
#include "arch/regs.h"
#include "arch/tpoint.h"
#include "probe/capture.h"
#include "probe/fetch.h"
#include "probe/scope.h"
#include "prog/template.h"
#include "ring/ring.h"

extern const char fargs_seq_site_tpoint[];

unsigned long fargs_tpoint_site(void)
{
	return (unsigned long)fargs_seq_site_tpoint;
}

/*
 * Captures an event whose probes are called by the tracepoint's iterator. Not inlined, so that
 * fargs_tpoint_call() need not save registers. Enables preemption.
 */
static notrace noinline void capture_iterated(struct fargs_tpoint *point, struct fargs_ring *ring,
					      struct pt_regs *regs, u64 seq)
{
	fargs_fetch_numbered(point->ip, fargs_iterator_caller(&point->iterator, regs),
			    fargs_template_programs(point->template), regs, ring, seq);
}

void notrace fargs_tpoint_call(struct pt_regs *regs)
{
	struct fargs_tpoint *point = (void *)fargs_arch_first_arg(regs);
	const struct fargs_capture *capture = point->capture;
	struct fargs_ring *ring;
	unsigned long caller;
	u64 seq;

	preempt_disable_notrace();
	if (unlikely(!test_bit(current->pid, capture->tids)))
		goto out;
	if (unlikely(capture->scope) && !fargs_scope_is_inside(capture->scope))
		goto out;
	ring = this_cpu_ptr(capture->rings);
	seq = fargs_arch_next_seq(&ring->seq, fargs_seq_site_tpoint);
	caller = fargs_arch_return_address(regs);
	/* Both functions enable preemption. */
	if (unlikely(fargs_iterator_contains(&point->iterator, caller)))
		capture_iterated(point, ring, regs, seq);
	else
		fargs_fetch_numbered(point->ip, caller, fargs_template_programs(point->template),
				    regs, ring, seq);
	return;
out:
	preempt_enable_notrace();
}
