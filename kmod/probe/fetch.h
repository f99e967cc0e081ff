/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_PROBE_FETCH_H
#define FARGS_KMOD_PROBE_FETCH_H

#include <linux/types.h>

struct fargs_programs;
struct fargs_ring;
struct pt_regs;

/**
 * fargs_fetch_numbered() - capture an event that already has a sequence number
 * @ip: the record's ip
 * @parent_ip: return address of the call
 * @programs: the programs of the tracepoint
 * @regs: registers of the call
 * @ring: this CPU's ring
 * @seq: the sequence number
 *
 * Called for tracepoints, which are captured like functions with programs once their sequence
 * number is allocated. The caller has disabled preemption; this function enables it again.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_fetch_numbered(unsigned long ip, unsigned long parent_ip,
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

#endif
