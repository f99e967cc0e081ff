// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ftrace callbacks: find the template of the function, and whether the task is traced.
 *
 * Context: any context, NMI included; RCU may not be watching. ftrace's trampoline calls them
 * directly, without a recursion check. So nothing that they call may be traced (Kbuild removes
 * ftrace's compiler flags for the whole module). Calls may nest, in interrupts; the ring allows
 * this.
 *
 * Lifetime: hashes, templates and rings are used only with preemption disabled. They are freed
 * after session/tracers.c has made them unreachable and waited for all such sections. A session
 * holds a reference to this module, which therefore cannot be unloaded before the ops is
 * unregistered.
 *
 * What the callbacks end with enables preemption, so that they can jump to it and need not save
 * registers.
 */
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "arch/cpu.h"
#include "base/funchash.h"
#include "compat/ftrace.h"
#include "probe/capture.h"
#include "probe/fetch.h"
#include "probe/plain.h"
#include "probe/several.h"

extern const char fargs_seq_site_plain[], fargs_seq_site_fetch[];

unsigned long fargs_entry_site(enum fargs_path path)
{
	return (unsigned long)(path == FARGS_PATH_PLAIN ? fargs_seq_site_plain :
							  fargs_seq_site_fetch);
}

/*
 * Sets *@t to the template of a function, or to NULL if it has been dropped, and *@capture to that
 * of the only session that traces the function. Returns whether it also traces the current task.
 */
static __always_inline bool is_traced(unsigned long ip, struct ftrace_ops *ops,
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

/* Does the rest of a callback whose call is_traced() has not found traced. */
static __always_inline void skip_call(unsigned long ip, unsigned long parent_ip,
				 struct fargs_template *t, struct pt_regs *regs)
{
	const struct fargs_several *several = t ? fargs_several_of(t) : NULL;

	if (several)
		fargs_several_capture(ip, parent_ip, several, regs);
	else
		preempt_enable_notrace();
}

void notrace fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *regs = fargs_compat_regs(fregs);
	const struct fargs_capture *capture;
	struct fargs_template *t;
	struct fargs_ring *ring;
	u64 seq;

	preempt_disable_notrace();
	if (unlikely(!is_traced(ip, ops, &t, &capture))) {
		skip_call(ip, parent_ip, t, regs);
		return;
	}
	ring = this_cpu_ptr(capture->rings);
	seq = fargs_arch_next_seq(&ring->seq, fargs_seq_site_plain);
	if (unlikely(!fargs_plain_record(ring, t, regs, ip, parent_ip, seq))) {
		fargs_plain_slow(ring, t, regs, ip, parent_ip, seq);
		return;
	}
	preempt_enable_notrace();
}

void notrace fargs_entry_fetch(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *regs = fargs_compat_regs(fregs);
	const struct fargs_capture *capture;
	struct fargs_template *t;
	struct fargs_ring *ring;
	u64 seq;

	preempt_disable_notrace();
	if (unlikely(!is_traced(ip, ops, &t, &capture))) {
		skip_call(ip, parent_ip, t, regs);
		return;
	}
	ring = this_cpu_ptr(capture->rings);
	seq = fargs_arch_next_seq(&ring->seq, fargs_seq_site_fetch);
	fargs_fetch_numbered(ip, parent_ip, fargs_template_programs(t), regs, ring, seq);
}
