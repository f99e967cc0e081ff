/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a record is filled from a template at a function's entry. Any context;
 * preemption disabled; inlined or notrace.
 */
#ifndef FARGS_FILL_H
#define FARGS_FILL_H

#include <linux/ptrace.h>
#include <linux/sched.h>

#include "record.h"
#include "template.h"

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

static __always_inline void fargs_fill_regs(struct fargs_record *record,
					    const struct fargs_template *t,
					    const struct pt_regs *regs)
{
	u32 nr = t->nr_regs;

#define STORE(n, name) (*(u64 *)((u8 *)record + t->reg_offset[n]) = regs->name)
	if (nr > 2) {
		if (nr > 3) {
			if (nr > 4) {
				if (nr > 5)
					STORE(5, r9);
				STORE(4, r8);
			}
			STORE(3, cx);
		}
		STORE(2, dx);
		STORE(1, si);
		STORE(0, di);
	} else if (nr) {
		if (nr > 1)
			STORE(1, si);
		STORE(0, di);
	}
#undef STORE
}

/* All of it but stack slots. */
static __always_inline void fargs_fill(struct fargs_record *record, const struct fargs_template *t,
				       const struct pt_regs *regs, unsigned long ip,
				       unsigned long parent_ip, u64 seq, u64 tsc)
{
	/* Each by itself: put together they cost more than two stores. */
	WRITE_ONCE(record->tsc, tsc);
	WRITE_ONCE(*(u32 *)record, t->head);
	WRITE_ONCE(record->tid, current->pid);
	WRITE_ONCE(record->ip, ip);
	WRITE_ONCE(record->parent_ip, parent_ip);
	fargs_record_fill_context(record);
	fargs_fill_body(record, t);
	fargs_fill_regs(record, t, regs);
	/* Last: registers that nobody wants went here. */
	WRITE_ONCE(record->seq, seq);
}

/* Then, if the template has stack slots: those. */
void fargs_fill_stack(struct fargs_record *record, const struct fargs_template *t,
		      const struct pt_regs *regs);

#endif
