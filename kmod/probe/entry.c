// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace's callback for functions without programs.
 *
 * Context: any context, NMI included; RCU may not be watching. ftrace's trampoline calls the
 * callback directly, without a recursion check. So nothing that it calls may be traced (Kbuild
 * removes ftrace's compiler flags for the whole module). Calls may nest, in interrupts; the ring
 * allows this.
 *
 * Lifetime: hashes, templates and rings are used only with preemption disabled. They are freed
 * after session/tracers.c has made them unreachable and waited for all such sections. A session
 * holds a reference to this module, which therefore cannot be unloaded before the ops is
 * unregistered.
 *
 * What the callback ends with enables preemption, so that it can jump to it and need not save
 * registers.
 */
#include <linux/ftrace.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

#include "arch/cpu.h"
#include "compat/ftrace.h"
#include "probe/capture.h"
#include "probe/lookup.h"
#include "probe/plain.h"

extern const char fargs_seq_site_plain[];

unsigned long fargs_entry_plain_site(void)
{
	return (unsigned long)fargs_seq_site_plain;
}

void notrace fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *regs = fargs_compat_regs(fregs);
	struct fargs_template *t;
	struct fargs_ring *ring;
	u64 seq;

	if (unlikely(!fargs_lookup(ip, parent_ip, ops, regs, &t, &ring)))
		return;
	seq = fargs_arch_next_seq(&ring->seq, fargs_seq_site_plain);
	if (unlikely(!fargs_plain_record(ring, t, regs, ip, parent_ip, seq))) {
		fargs_plain_slow(ring, t, regs, ip, parent_ip, seq);
		return;
	}
	preempt_enable_notrace();
}
