// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plain capture path: records registers and stack slots at a function's entry.
 *
 * Context: any context, NMI included; RCU may not be watching. ftrace's trampoline calls
 * fargs_entry_plain() directly, without a recursion check. So nothing in this file may be traced
 * (Kbuild removes ftrace's compiler flags for the whole module), and all callees are inline or
 * notrace. Calls may nest, in interrupts; the ring allows this.
 *
 * Lifetime: the hash, the templates and the rings are used only with preemption disabled. They are
 * freed after the ops has been unregistered, which waits for all such sections. A session holds a
 * reference to this module, which therefore cannot be unloaded before the ops is unregistered.
 */
#include <linux/sched.h>

#include "arch/cpu.h"
#include "base/funchash.h"
#include "compat/ftrace.h"
#include "probe/capture.h"
#include "probe/fill.h"
#include "prog/template.h"
#include "ring/record.h"

extern const char fargs_seq_site_plain[];

unsigned long fargs_entry_plain_site(void)
{
	return (unsigned long)fargs_seq_site_plain;
}

/*
 * Does the rest of fargs_entry_plain() if the ring's limit is reached or there are stack slots.
 * This is a separate function, called last, so that the fast path need not save registers.
 */
static notrace noinline void entry_slow(struct fargs_ring *ring, const struct fargs_template *t,
					const struct pt_regs *regs, unsigned long ip,
					unsigned long parent_ip, u64 seq)
{
	struct fargs_record *record;
	struct fargs_arch_time time;
	u64 pos;

	if (fargs_record_reserve(ring, &t->len, &time, &pos) ||
	    fargs_record_reserve_slow(ring, t->len, &time, &pos)) {
		record = fargs_ring_at(ring, pos);
		fargs_fill(record, t, regs, ip, parent_ip, seq, &time, 1, false);
		if (t->nr_stack)
			fargs_fill_stack(record, t, regs);
		fargs_ring_publish(ring, pos);
	}
	preempt_enable_notrace();
}

void notrace fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	const struct fargs_capture *capture = container_of(ops, struct fargs_capture, plain.ops);
	const struct pt_regs *regs = fargs_compat_regs(fregs);
	struct fargs_template *t;
	struct fargs_ring *ring;
	struct fargs_arch_time time;
	u64 seq, pos;

	preempt_disable_notrace();
	if (unlikely(!fargs_funchash_find(READ_ONCE(capture->plain.hash), ip, &t)))
		goto out;
	if (unlikely(!test_bit(current->pid, capture->tids)))
		goto out;

	ring = this_cpu_ptr(capture->rings);
	seq = fargs_arch_next_seq(&ring->seq, fargs_seq_site_plain);
	if (unlikely(!fargs_record_reserve(ring, &t->fast_len, &time, &pos))) {
		entry_slow(ring, t, regs, ip, parent_ip, seq);
		return;
	}
	fargs_fill(fargs_ring_at(ring, pos), t, regs, ip, parent_ip, seq, &time, 1, true);
	fargs_ring_publish(ring, pos);
out:
	preempt_enable_notrace();
}
