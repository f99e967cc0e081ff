/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fills a record from a template. Context: any context, NMI included. Preemption is disabled.
 *
 * These functions are inlined wherever a record is filled. If they were out of line, the capture
 * path would have to save registers around the call: about 10 % of the cost of an event.
 * fargs_fill() has five copies: in the plain path, in the slow part of the plain path, and in the
 * fetch path for chains, for programs and for triggers; @depth is a constant in the first two.
 * fargs_fill_regs() has three more: one where the body of a call is composed, and two with @is_kept
 * where a RETURN record is filled.
 */
#ifndef FARGS_KMOD_PROBE_FILL_H
#define FARGS_KMOD_PROBE_FILL_H

#include <linux/ptrace.h>
#include <linux/sched.h>

#include "arch/regs.h"
#include "prog/template.h"
#include "ring/record.h"

static __always_inline void fargs_fill_16(u8 *to, const u8 *from, unsigned long at)
{
	u64 a = *(const u64 *)(from + at), b = *(const u64 *)(from + at + 8);

	*(u64 *)(to + at) = a;
	*(u64 *)(to + at + 8) = b;
}

/* Copies the body backwards. Most bodies have at most 64 bytes. */
static __always_inline void fargs_fill_body(struct fargs_record *record,
					    const struct fargs_template *t)
{
	u8 *to = (u8 *)(record + 1);
	const u8 *from = (const u8 *)t->body;
	unsigned long i = t->body_len;

	while (i > 64) {
		i -= 16;
		fargs_fill_16(to, from, i);
	}
	if (i > 32) {
		if (i > 48)
			fargs_fill_16(to, from, 48);
		fargs_fill_16(to, from, 32);
		fargs_fill_16(to, from, 16);
	} else if (i > 16) {
		fargs_fill_16(to, from, 16);
	}
	fargs_fill_16(to, from, 0);
}

/*
 * Stores argument register @n. If @is_kept (a constant), @regs is an array of the argument
 * registers in the order of the ABI, otherwise a struct pt_regs.
 */
static __always_inline void fargs_fill_reg(struct fargs_record *record,
					   const struct fargs_template *t, const void *regs,
					   unsigned int n, bool is_kept)
{
	*(u64 *)((u8 *)record + t->reg_offset[n]) =
		*(const u64 *)(regs + (is_kept ? 8 * n : fargs_arch_reg_offset(n)));
}

/*
 * Stores the argument registers; @is_kept is that of fargs_fill_reg(). Registers are stored in
 * pairs: one more store costs less than to find out whether it is needed.
 */
static __always_inline void fargs_fill_regs(struct fargs_record *record,
					    const struct fargs_template *t, const void *regs,
					    bool is_kept)
{
	u32 nr = t->nr_regs;

	if (nr > 2) {
		if (nr > 4) {
			fargs_fill_reg(record, t, regs, 5, is_kept);
			fargs_fill_reg(record, t, regs, 4, is_kept);
		}
		fargs_fill_reg(record, t, regs, 3, is_kept);
		fargs_fill_reg(record, t, regs, 2, is_kept);
	}
	fargs_fill_reg(record, t, regs, 1, is_kept);
	fargs_fill_reg(record, t, regs, 0, is_kept);
}

/*
 * Copies a body of @nr (a constant) times 16 bytes, or of 16 bytes more, and stores @nr registers.
 */
static __always_inline void fargs_fill_shape(struct fargs_record *record,
					     const struct fargs_template *t, const void *regs,
					     u32 shape, unsigned int nr)
{
	u8 *to = (u8 *)(record + 1);
	const u8 *from = (const u8 *)t->body;
	unsigned int i;

	if (shape == fargs_template_shape(nr, 16 * nr + 16))
		fargs_fill_16(to, from, 16 * nr);
#pragma GCC unroll 8
	for (i = nr; i--;)
		fargs_fill_16(to, from, 16 * i);
#pragma GCC unroll 8
	for (i = nr; i--;)
		fargs_fill_reg(record, t, regs, i, false);
	fargs_arch_keep_apart(nr);
}

/*
 * Does the same as fargs_fill_body() and fargs_fill_regs(), in more code and in fewer instructions
 * per call.
 */
static __always_inline void fargs_fill_values(struct fargs_record *record,
					      const struct fargs_template *t, const void *regs)
{
	u32 shape = t->shape;

	if (shape > 6) {
		if (shape <= 8)
			fargs_fill_shape(record, t, regs, shape, 4);
		else if (shape > 10)
			fargs_fill_shape(record, t, regs, shape, 6);
		else
			fargs_fill_shape(record, t, regs, shape, 5);
	} else if (shape > 2) {
		if (shape > 4)
			fargs_fill_shape(record, t, regs, shape, 3);
		else
			fargs_fill_shape(record, t, regs, shape, 2);
	} else if (shape) {
		fargs_fill_shape(record, t, regs, shape, 1);
	} else {
		fargs_fill_body(record, t);
		fargs_fill_regs(record, t, regs, false);
	}
}

/* Fills len, kind and flags, the first 4 bytes of the header, with @head of the template. */
static __always_inline void fargs_fill_head(struct fargs_record *record, u32 head)
{
	WRITE_ONCE(*(u32 *)record, head);
}

/* Fills the rest of the header except tsc and seq. For @depth see fargs_record_fill_context(). */
static __always_inline void fargs_fill_origin(struct fargs_record *record, unsigned long ip,
					      unsigned long parent_ip, u32 depth)
{
	struct task_struct *task = fargs_arch_current();

	/* Separate stores: combining fields into a wider store costs more than it saves. */
	WRITE_ONCE(record->tid, task->pid);
	WRITE_ONCE(record->ip, ip);
	WRITE_ONCE(record->parent_ip, parent_ip);
	fargs_record_fill_context(record, task, depth);
}

/*
 * Fills a record except its stack slots. For @depth see fargs_record_fill_context(). @is_fast (a
 * constant): with fargs_fill_values().
 */
static __always_inline void fargs_fill(struct fargs_record *record, const struct fargs_template *t,
				       const struct pt_regs *regs, unsigned long ip,
				       unsigned long parent_ip, u64 seq,
				       const struct fargs_arch_time *time, u32 depth, bool is_fast)
{
	fargs_arch_time_store(&record->tsc, time);
	fargs_fill_head(record, t->head);
	fargs_fill_origin(record, ip, parent_ip, depth);
	if (is_fast) {
		fargs_fill_values(record, t, regs);
	} else {
		fargs_fill_body(record, t);
		fargs_fill_regs(record, t, regs, false);
	}
	/*
	 * seq must be stored last: fargs_fill_regs() stores registers that the layout does not
	 * record to record->seq, where they do no harm.
	 */
	WRITE_ONCE(record->seq, seq);
}

/**
 * fargs_fill_stack() - fill in the stack slots of a record
 * @record: the record, filled except for its stack slots
 * @t: the template of the function
 * @regs: registers at the call
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_fill_stack(struct fargs_record *record, const struct fargs_template *t,
		      const struct pt_regs *regs);

#endif
