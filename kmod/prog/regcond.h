/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Predicates that test only argument registers, such as "count > 4096 && mode == 1", as a
 * table of comparisons. Evaluating the table is ten times as fast as running the program;
 * this matters because predicates reject most calls.
 */
#ifndef FARGS_KMOD_PROG_REGCOND_H
#define FARGS_KMOD_PROG_REGCOND_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "uapi/fargs_prog.h"

/* Compares a value, which is extracted from a register, with a limit. */
struct fargs_regcond {
	u16 offset;	/* offset of the register in struct pt_regs */
	u8 left;	/* first shift the register left, to drop the bits above the value */
	u8 right;	/* then shift right, to drop the bits below the value */
	/*
	 * The next step if the value is less than the limit [0], equal [1] or greater [2]: index of
	 * a comparison, or FARGS_REGCOND_*.
	 */
	u8 next[3];
	u64 sign;	/* the highest bit of the value if it is signed, else 0 */
	u64 mask;	/* the bits of the value that are compared */
	/*
	 * The top bit if the comparison is signed, else 0. The value and the limit are XORed with
	 * it, so that an unsigned comparison has the right result.
	 */
	u64 flip;
	u64 limit;	/* the limit, already XORed with @flip */
};

#define FARGS_REGCOND_REJECT	0xfe
#define FARGS_REGCOND_ACCEPT	0xff

/**
 * fargs_regconds_make() - make the table of a predicate
 * @insns: instructions of a verified ENTRY_PREDICATE
 * @nr: number of instructions
 * @to: where the table is written; NULL: only count the comparisons
 *
 * Context: Any context.
 * Return: The number of comparisons; 0 if the program cannot be expressed as a table.
 */
u32 fargs_regconds_make(const struct fargs_insn *insns, u32 nr, struct fargs_regcond *to);

/*
 * Does the predicate accept a call with registers @regs? Can be called in any context, NMI
 * included. The loop ends, since each comparison leads only to later ones.
 */
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
