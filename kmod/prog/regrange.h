/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Predicates with one comparison of an argument register, such as "count > 4096", as a range of
 * values. Most predicates are such, and most calls are rejected: this takes a quarter of the
 * instructions of the table (prog/regcond.h) from which it is made.
 */
#ifndef FARGS_KMOD_PROG_REGRANGE_H
#define FARGS_KMOD_PROG_REGRANGE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "prog/regcond.h"

/*
 * The values of a comparison form a range, which may wrap around: "!= 5" is the range from 6 to 4.
 * The value is not shifted right and not sign-extended. Its highest bit is bit 63, and so the range
 * of a signed value wraps around like the value itself.
 */
struct fargs_regrange {
	u64 mask;	/* the bits of the value, in the register after the shift */
	u64 first;	/* the lowest accepted value */
	u64 span;	/* the highest accepted value minus @first */
	u16 offset;	/* offset of the register in struct pt_regs */
	u8 left;	/* how far the register is shifted left */
};

/**
 * fargs_regrange_make() - make the range of a comparison
 * @cond: the only comparison of a predicate
 * @to: set to the range, unless false is returned
 *
 * Context: Any context.
 * Return: False if the accepted values cannot be expressed as a range: if there are none or all
 *	values are accepted, for instance.
 */
bool fargs_regrange_make(const struct fargs_regcond *cond, struct fargs_regrange *to);

/* Does the predicate accept a call with registers @regs? Any context, NMI included. */
static __always_inline bool fargs_regrange_holds(const struct fargs_regrange *range,
						 const void *regs)
{
	u64 value = *(const u64 *)(regs + range->offset) << range->left;

	return (value & range->mask) - range->first <= range->span;
}

#endif
