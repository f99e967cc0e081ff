// SPDX-License-Identifier: GPL-2.0-only
#include "prog/regcond.h"

#include <linux/kernel.h>
#include <linux/string.h>

#include "prog/env.h"

/*
 * A comparison in a program consists of an ARG, optional SHL, SHR or SAR, optional ANDs, and a JIF,
 * all on the same register.
 */

#define TOP_BIT		(1ull << 63)
#define NO_COND		0xfd	/* neither the index of a comparison nor FARGS_REGCOND_* */

struct maker {
	const struct fargs_insn *insns;
	u32 nr;
	/* For each instruction: index of the comparison that begins there, or NO_COND. */
	u8 cond_at[FARGS_PROG_MAX];
};

/* Adds the instruction's computation to @cond. Returns false if its op or order is unsupported. */
static bool add_step(struct fargs_regcond *cond, const struct fargs_insn *insn)
{
	bool is_masked = cond->mask != ~0ull;

	switch (insn->op) {
	case FARGS_OP_SHL:
		if (cond->left || cond->right || cond->sign || is_masked)
			return false;
		cond->left = insn->imm;
		return true;
	case FARGS_OP_SHR:
	case FARGS_OP_SAR:
		if (cond->right || cond->sign || is_masked)
			return false;
		cond->right = insn->imm;
		if (insn->op == FARGS_OP_SAR)
			cond->sign = TOP_BIT >> insn->imm;
		return true;
	case FARGS_OP_AND:
		cond->mask &= insn->imm;
		return true;
	default:
		return false;
	}
}

/* Returns the outcomes that satisfy @cond. Bit 0 is set for less, 1 for equal, 2 for greater. */
static u32 outcomes_of(u8 cond)
{
	static const u8 outcomes[] = {
		[FARGS_COND_EQ] = 2, [FARGS_COND_NE] = 5,
		[FARGS_COND_LT] = 1, [FARGS_COND_LE] = 3,
		[FARGS_COND_GT] = 4, [FARGS_COND_GE] = 6,
		[FARGS_COND_SLT] = 1, [FARGS_COND_SLE] = 3,
		[FARGS_COND_SGT] = 4, [FARGS_COND_SGE] = 6,
		[FARGS_COND_SET] = 4,
	};

	return outcomes[cond];
}

static void add_limit(struct fargs_regcond *cond, const struct fargs_insn *jump)
{
	if (jump->arg == FARGS_COND_SET) {
		cond->mask &= jump->imm;
		return;
	}
	if (jump->arg >= FARGS_COND_SLT)
		cond->flip = TOP_BIT;
	cond->limit = jump->imm ^ cond->flip;
}

/*
 * Parses the comparison that begins at instruction @at into @cond; does not set @cond->next.
 * Returns the number of its instructions, of which the last is the jump, or 0 if they are
 * not a comparison.
 */
static u32 read_cond(const struct maker *m, u32 at, struct fargs_regcond *cond)
{
	const struct fargs_insn *first = &m->insns[at], *end = m->insns + m->nr, *insn;

	*cond = (struct fargs_regcond){
		.offset = fargs_env_arg_offset(first->arg, false), .mask = ~0ull,
	};
	for (insn = first + 1; insn < end && insn->dst == first->dst; insn++) {
		if (insn->op == FARGS_OP_JIF) {
			add_limit(cond, insn);
			return insn + 1 - first;
		}
		if (!add_step(cond, insn))
			return 0;
	}
	return 0;
}

/*
 * Returns what instruction @at leads to: the index of a comparison, FARGS_REGCOND_ACCEPT or
 * FARGS_REGCOND_REJECT; NO_COND if it leads to any other instruction.
 */
static u8 find_next(const struct maker *m, u32 at)
{
	while (m->insns[at].op == FARGS_OP_JMP)
		at += 1 + m->insns[at].off;
	if (m->insns[at].op == FARGS_OP_ACCEPT)
		return FARGS_REGCOND_ACCEPT;
	if (m->insns[at].op == FARGS_OP_REJECT)
		return FARGS_REGCOND_REJECT;
	return m->cond_at[at];
}

/*
 * Finds all comparisons. Returns their number, or 0 if there are instructions that are neither part
 * of a comparison nor a JMP, ACCEPT or REJECT.
 */
static u32 find_conds(struct maker *m)
{
	struct fargs_regcond unused;
	u32 at = 0, n, nr = 0;

	memset(m->cond_at, NO_COND, sizeof(m->cond_at));
	while (at < m->nr) {
		switch (m->insns[at].op) {
		case FARGS_OP_ARG:
			n = read_cond(m, at, &unused);
			if (!n)
				return 0;
			m->cond_at[at] = nr++;
			at += n;
			break;
		case FARGS_OP_JMP:
		case FARGS_OP_ACCEPT:
		case FARGS_OP_REJECT:
			at++;
			break;
		default:
			return 0;
		}
	}
	return nr;
}

/*
 * Fills @cond for the comparison at instruction @at, including @cond->next. Returns false if a jump
 * leads to an instruction inside a comparison.
 */
static bool make_cond(const struct maker *m, u32 at, struct fargs_regcond *cond)
{
	u32 end = at + read_cond(m, at, cond), i;
	const struct fargs_insn *jump = &m->insns[end - 1];
	u8 if_true = find_next(m, end + jump->off), if_false = find_next(m, end);

	for (i = 0; i < 3; i++)
		cond->next[i] = outcomes_of(jump->arg) >> i & 1 ? if_true : if_false;
	return if_true != NO_COND && if_false != NO_COND;
}

u32 fargs_regconds_make(const struct fargs_insn *insns, u32 nr, struct fargs_regcond *to)
{
	struct maker m = { .insns = insns, .nr = nr };
	u32 nr_conds = find_conds(&m), at;
	struct fargs_regcond cond;

	/* The evaluation starts at the first comparison, so the program must begin with it. */
	if (m.cond_at[0])
		return 0;
	/* Check all comparisons before writing the first. */
	for (at = 0; at < nr && nr_conds; at++) {
		if (m.cond_at[at] != NO_COND && !make_cond(&m, at, &cond))
			return 0;
	}
	for (at = 0; at < nr && nr_conds && to; at++) {
		if (m.cond_at[at] != NO_COND)
			make_cond(&m, at, to++);
	}
	return nr_conds;
}
