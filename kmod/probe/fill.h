/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a record is filled from a template at a function's entry. Context: any context, NMI
 * included; preemption disabled.
 *
 * Code: these are inlined wherever a record is filled, since a call would have to save what the
 * capture path keeps in registers, a tenth of what an event costs. fargs_fill_deep() is there five
 * times: in the plain path, in its slow part, in the fetch path's chains, programs and triggers;
 * @depth is a constant in the first two. Of fargs_fill_regs() there are three more, one where a
 * call is kept with its body, and two, with @is_kept, where that of a return is filled.
 */
#ifndef FARGS_KMOD_PROBE_FILL_H
#define FARGS_KMOD_PROBE_FILL_H

#include <linux/ptrace.h>
#include <linux/sched.h>

#include "arch/regs.h"
#include "prog/template.h"
#include "ring/record.h"

/* From the end, so that the index is the loop's only counter. */
static __always_inline void fargs_fill_body(struct fargs_record *record,
					    const struct fargs_template *t)
{
	u8 *to = (u8 *)(record + 1);
	const u8 *from = (const u8 *)t->body;
	unsigned long i = t->body_len;

	do {
		u64 a = *(const u64 *)(from + i - 16), b = *(const u64 *)(from + i - 8);

		*(u64 *)(to + i - 16) = a;
		*(u64 *)(to + i - 8) = b;
		i -= 16;
	} while (i);
}

/*
 * @is_kept (a constant): @regs are the argument registers alone, u64s in the order of
 * the ABI; else struct pt_regs.
 */
static __always_inline void fargs_fill_regs(struct fargs_record *record,
					    const struct fargs_template *t, const void *regs,
					    bool is_kept)
{
	u32 nr = t->nr_regs;

#define STORE(n) \
	(*(u64 *)((u8 *)record + t->reg_offset[n]) = \
	 *(const u64 *)(regs + (is_kept ? 8 * (n) : fargs_arch_reg_offset(n))))
	if (nr > 2) {
		if (nr > 3) {
			if (nr > 4) {
				if (nr > 5)
					STORE(5);
				STORE(4);
			}
			STORE(3);
		}
		STORE(2);
		STORE(1);
		STORE(0);
	} else if (nr) {
		if (nr > 1)
			STORE(1);
		STORE(0);
	}
#undef STORE
}

/* len, kind and flags, out of a template's head. */
static __always_inline void fargs_fill_head(struct fargs_record *record, u32 head)
{
	WRITE_ONCE(*(u32 *)record, head);
}

/* The rest of the header but tsc and seq. @depth: see fargs_record_fill_context(). */
static __always_inline void fargs_fill_origin(struct fargs_record *record, unsigned long ip,
					      unsigned long parent_ip, u32 depth)
{
	/* Each by itself: put together they cost more than two stores. */
	WRITE_ONCE(record->tid, current->pid);
	WRITE_ONCE(record->ip, ip);
	WRITE_ONCE(record->parent_ip, parent_ip);
	fargs_record_fill_context(record, depth);
}

/* All of it but stack slots. @depth: see fargs_record_fill_context(). */
static __always_inline void fargs_fill_deep(struct fargs_record *record,
					    const struct fargs_template *t,
					    const struct pt_regs *regs, unsigned long ip,
					    unsigned long parent_ip, u64 seq, u64 tsc, u32 depth)
{
	WRITE_ONCE(record->tsc, tsc);
	fargs_fill_head(record, t->head);
	fargs_fill_origin(record, ip, parent_ip, depth);
	fargs_fill_body(record, t);
	fargs_fill_regs(record, t, regs, false);
	/* Last: registers that nobody wants went here. */
	WRITE_ONCE(record->seq, seq);
}

/* The same where preemption was disabled once: in a callback of ftrace. */
static __always_inline void fargs_fill(struct fargs_record *record, const struct fargs_template *t,
				       const struct pt_regs *regs, unsigned long ip,
				       unsigned long parent_ip, u64 seq, u64 tsc)
{
	fargs_fill_deep(record, t, regs, ip, parent_ip, seq, tsc, 1);
}

/**
 * fargs_fill_stack() - fill the stack slots of a record
 * @record: filled but for these
 * @t: the template
 * @regs: registers of the call
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_fill_stack(struct fargs_record *record, const struct fargs_template *t,
		      const struct pt_regs *regs);

#endif
