/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capture path of functions with programs. fargs_fetch_numbered() is inlined where a sequence
 * number is allocated, by an instruction whose address fargs_info.seq_site has. The functions that
 * it ends with are not inlined, so that it can jump to them and need not save registers. As many of
 * their parameters as possible are in the registers in which ftrace passes them.
 */
#ifndef FARGS_KMOD_PROBE_FETCH_H
#define FARGS_KMOD_PROBE_FETCH_H

#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "arch/cpu.h"
#include "prog/prog.h"
#include "prog/regrange.h"
#include "prog/template.h"
#include "ring/ring.h"

struct pt_regs;

/**
 * fargs_fetch_guarded() - capture a call, whatever programs the function has
 * @ip: the record's ip
 * @parent_ip: return address of the call
 * @programs: the programs of the function or tracepoint
 * @regs: registers at the call
 * @ring: this CPU's ring
 * @seq: the sequence number
 *
 * The caller has disabled preemption; this function enables it again.
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled.
 */
void fargs_fetch_guarded(unsigned long ip, unsigned long parent_ip,
			 const struct fargs_programs *programs, struct pt_regs *regs,
			 struct fargs_ring *ring, u64 seq);

/**
 * fargs_fetch_nested() - do what fargs_fetch_numbered() does, without enabling preemption
 * @ip: the record's ip
 * @parent_ip: return address of the call
 * @programs: the programs of the function
 * @regs: registers at the call
 * @ring: this CPU's ring
 * @seq: the sequence number
 *
 * Runs all programs by the interpreter.
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled, once.
 */
void fargs_fetch_nested(unsigned long ip, unsigned long parent_ip,
			const struct fargs_programs *programs, struct pt_regs *regs,
			struct fargs_ring *ring, u64 seq);

/**
 * fargs_fetch_chains() - capture a call of a function whose programs are only chains
 * @ip: the record's ip
 * @parent_ip: return address of the call
 * @programs: the programs of the function or tracepoint
 * @regs: registers at the call
 * @ring: this CPU's ring
 * @seq: the sequence number
 *
 * Does without a struct fargs_call for the interpreter. Falls back to fargs_fetch_guarded() if the
 * guard is held or the ring's limit is reached.
 *
 * The caller has disabled preemption; this function enables it again.
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled.
 */
void fargs_fetch_chains(unsigned long ip, unsigned long parent_ip,
			const struct fargs_programs *programs, struct pt_regs *regs,
			struct fargs_ring *ring, u64 seq);

/**
 * fargs_fetch_if() - capture a call if a table of conditions accepts its registers
 * @ip: the record's ip
 * @parent_ip: return address of the call
 * @programs: the programs of the function or tracepoint
 * @regs: registers at the call
 * @ring: this CPU's ring
 * @seq: the sequence number
 *
 * Counts a rejected call otherwise.
 *
 * The caller has disabled preemption; this function enables it again.
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled.
 */
void fargs_fetch_if(unsigned long ip, unsigned long parent_ip,
		    const struct fargs_programs *programs, struct pt_regs *regs,
		    struct fargs_ring *ring, u64 seq);

static __always_inline void fargs_fetch_accepted(unsigned long ip, unsigned long parent_ip,
						 const struct fargs_programs *programs,
						 struct pt_regs *regs, struct fargs_ring *ring,
						 u64 seq)
{
	if (likely(programs->is_chains))
		fargs_fetch_chains(ip, parent_ip, programs, regs, ring, seq);
	else
		fargs_fetch_guarded(ip, parent_ip, programs, regs, ring, seq);
}

static __always_inline void fargs_fetch_reject(struct fargs_ring *ring)
{
	fargs_arch_inc(&ring->rejected);
	preempt_enable_notrace();
}

/* Captures a call that has the sequence number @seq. Enables preemption. */
static __always_inline void fargs_fetch_numbered(unsigned long ip, unsigned long parent_ip,
						 const struct fargs_programs *programs,
						 struct pt_regs *regs, struct fargs_ring *ring,
						 u64 seq)
{
	u32 step = programs->first_step;

	if (step == FARGS_FIRST_CHAINS) {
		fargs_fetch_chains(ip, parent_ip, programs, regs, ring, seq);
	} else if (step == FARGS_FIRST_RANGE) {
		if (fargs_regrange_holds(&programs->range, regs))
			fargs_fetch_accepted(ip, parent_ip, programs, regs, ring, seq);
		else
			fargs_fetch_reject(ring);
	} else if (step == FARGS_FIRST_TABLE) {
		fargs_fetch_if(ip, parent_ip, programs, regs, ring, seq);
	} else {
		fargs_fetch_guarded(ip, parent_ip, programs, regs, ring, seq);
	}
}

#endif
