/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plain capture path: records registers and stack slots at a function's entry. Inlined where a
 * sequence number is allocated, by an instruction whose address fargs_info.seq_site has.
 */
#ifndef FARGS_KMOD_PROBE_PLAIN_H
#define FARGS_KMOD_PROBE_PLAIN_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "arch/cpu.h"
#include "probe/fill.h"
#include "prog/template.h"
#include "ring/record.h"

struct pt_regs;

/**
 * fargs_plain_record_slow() - do what fargs_plain_slow() does, without enabling preemption
 * @ring: this CPU's ring
 * @t: the function's template
 * @regs: registers at the call
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @seq: the sequence number
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled.
 */
void fargs_plain_record_slow(struct fargs_ring *ring, const struct fargs_template *t,
			     const struct pt_regs *regs, unsigned long ip,
			     unsigned long parent_ip, u64 seq);

/**
 * fargs_plain_slow() - record a call if the ring's limit is reached or there are stack slots
 * @ring: this CPU's ring
 * @t: the function's template
 * @regs: registers at the call
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @seq: the sequence number
 *
 * A separate function, called last, so that the fast path need not save registers. The caller has
 * disabled preemption; this function enables it again.
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled.
 */
void fargs_plain_slow(struct fargs_ring *ring, const struct fargs_template *t,
		      const struct pt_regs *regs, unsigned long ip, unsigned long parent_ip,
		      u64 seq);

/*
 * Records a call that has the sequence number @seq. Returns false, and has done nothing, if the
 * caller has to call fargs_plain_slow().
 */
static __always_inline bool fargs_plain_record(struct fargs_ring *ring,
					       const struct fargs_template *t,
					       const struct pt_regs *regs, unsigned long ip,
					       unsigned long parent_ip, u64 seq)
{
	struct fargs_arch_time time;
	u64 pos;

	if (unlikely(!fargs_record_reserve(ring, &t->fast_len, &time, &pos)))
		return false;
	fargs_fill(fargs_ring_at(ring, pos), t, regs, ip, parent_ip, seq, &time, 1, true);
	fargs_ring_publish(ring, pos);
	return true;
}

#endif
