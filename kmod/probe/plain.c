// SPDX-License-Identifier: GPL-2.0-only
/* Context and lifetime: as in probe/entry.c. */
#include "probe/plain.h"

#include <linux/preempt.h>

void notrace fargs_plain_record_slow(struct fargs_ring *ring, const struct fargs_template *t,
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
}

void notrace fargs_plain_slow(struct fargs_ring *ring, const struct fargs_template *t,
			      const struct pt_regs *regs, unsigned long ip,
			      unsigned long parent_ip, u64 seq)
{
	fargs_plain_record_slow(ring, t, regs, ip, parent_ip, seq);
	preempt_enable_notrace();
}
