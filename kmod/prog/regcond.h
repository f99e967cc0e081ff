/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Predicates that ask for argument registers alone, "count > 4096 && mode == 1", as a
 * table of comparisons: to go through it takes a tenth of what running the program
 * does, and most calls of a predicate are those that it rejects.
 */
#ifndef FARGS_KMOD_PROG_REGCOND_H
#define FARGS_KMOD_PROG_REGCOND_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "uapi/fargs_prog.h"

/* A value, cut out of a register, and what it is compared with. */
struct fargs_regcond {
	u16 offset;	/* of the register, in struct pt_regs */
	u8 left;	/* shifted by this, which drops what is above the value */
	u8 right;	/* and back by this, which drops what is below it */
	/* If it is less, equal, more: the next one's index, or what has come of it. */
	u8 next[3];
	u64 sign;	/* the highest bit of a value that has a sign, else 0 */
	u64 mask;	/* of the bits that are asked for */
	u64 flip;	/* of the value and the limit: the top bit, if both have signs */
	u64 limit;	/* flipped */
};

#define FARGS_REGCOND_REJECT	0xfe
#define FARGS_REGCOND_ACCEPT	0xff

/**
 * fargs_regconds_make() - make the table of a predicate
 * @insns: those of a verified ENTRY_PREDICATE
 * @nr: how many
 * @to: where the table goes; NULL: it is only counted
 *
 * Context: Any context.
 * Return: How many comparisons it has; 0 if the program asks for anything else.
 */
u32 fargs_regconds_make(const struct fargs_insn *insns, u32 nr, struct fargs_regcond *to);

/* Is a call accepted? Any context. It ends, since each leads to a later one only. */
static __always_inline bool fargs_regconds_hold(const struct fargs_regcond *conds, const void *regs)
{
	const struct fargs_regcond *cond = conds;
	u64 value;
	u8 next;

	for (;;) {
		value = *(const u64 *)(regs + cond->offset) << cond->left >> cond->right;
		value = (((value ^ cond->sign) - cond->sign) & cond->mask) ^ cond->flip;
		next = cond->next[(value >= cond->limit) + (value > cond->limit)];
		if (next >= FARGS_REGCOND_REJECT)
			return next == FARGS_REGCOND_ACCEPT;
		cond = conds + next;
	}
}

#endif
