// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plain capture path: registers and stack slots of a function that was
 * called.
 *
 * Context: any, NMI included; RCU may not be watching. ftrace calls it straight
 * from the function's trampoline, without a recursion check, so nothing in here
 * may be traced (Kbuild takes ftrace's flags off the module) and everything it
 * calls is inline or notrace. Nested calls, from interrupts, are what the ring
 * is made for.
 *
 * Who frees: the hash, the templates and the rings live until the ops is
 * unregistered, which waits for whoever has preemption disabled; all of them are
 * used that way only. That also holds if the module goes, since a session
 * holds the module.
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
 * The same when the ring's limit was reached, or there are stack slots: apart, so
 * that the way below calls nothing while it has something to keep.
 */
static notrace noinline void entry_slow(struct fargs_ring *ring, const struct fargs_template *t,
					const struct pt_regs *regs, unsigned long ip,
					unsigned long parent_ip, u64 seq)
{
	struct fargs_record *record;
	u64 tsc, pos;

	if (fargs_record_reserve(ring, t->len, &tsc, &pos) ||
	    fargs_record_reserve_slow(ring, t->len, &tsc, &pos)) {
		record = fargs_ring_at(ring, pos);
		fargs_fill(record, t, regs, ip, parent_ip, seq, tsc);
		if (t->nr_stack)
			fargs_fill_stack(record, t, regs);
	}
	fargs_ring_leave(ring);
	preempt_enable_notrace();
}

void notrace fargs_entry_plain(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	const struct fargs_capture *capture = container_of(ops, struct fargs_capture, plain.ops);
	const struct pt_regs *regs = fargs_compat_regs(fregs);
	struct fargs_template *t;
	struct fargs_ring *ring;
	u64 seq, tsc, pos;

	preempt_disable_notrace();
	if (unlikely(!fargs_funchash_find(READ_ONCE(capture->plain.hash), ip, &t)))
		goto out;
	if (unlikely(capture->tids) && !test_bit(current->pid, capture->tids))
		goto out;

	ring = this_cpu_ptr(capture->rings);
	seq = fargs_arch_take_number(&ring->seq, fargs_seq_site_plain);
	fargs_ring_enter(ring);
	if (unlikely(t->nr_stack) || unlikely(!fargs_record_reserve(ring, t->len, &tsc, &pos))) {
		entry_slow(ring, t, regs, ip, parent_ip, seq);
		return;
	}
	fargs_fill(fargs_ring_at(ring, pos), t, regs, ip, parent_ip, seq, tsc);
	fargs_ring_leave(ring);
out:
	preempt_enable_notrace();
}
