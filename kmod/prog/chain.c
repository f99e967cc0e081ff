// SPDX-License-Identifier: GPL-2.0-only
#include "prog/chain.h"

/* Returns the number of instructions of the chain at @insns, or 0 if they are not a chain. */
static u32 chain_insns(const struct fargs_insn *insns, u32 nr)
{
	u32 i;

	if (insns->op != FARGS_OP_ARG)
		return 0;
	for (i = 1; i < nr; i++) {
		if (insns[i].src != insns->dst)
			return 0;
		if (insns[i].op == FARGS_OP_PUT_STR || insns[i].op == FARGS_OP_ST)
			return i + 1;
		if (insns[i].op != FARGS_OP_LOAD || insns[i].dst != insns->dst)
			return 0;
	}
	return 0;
}

bool fargs_prog_is_chains(const struct fargs_insn *insns, u32 nr)
{
	u32 at = 0, n;

	while (at < nr) {
		n = chain_insns(insns + at, nr - at);
		if (!n)
			return false;
		at += n;
	}
	return nr;
}

static bool is_user_load(const struct fargs_insn *insn)
{
	return insn->op == FARGS_OP_LOAD && insn->imm == FARGS_SPACE_USER;
}

/* A chain uses one register, and the next chain begins with another value. */
void fargs_chains_translate(struct fargs_insn *insns, u32 nr)
{
	u32 at, end, i;
	u8 reg;

	for (at = 0; at < nr; at = end) {
		reg = 0;
		for (end = at + 1; end < nr && insns[end].op != FARGS_OP_ARG; end++)
			reg |= is_user_load(&insns[end]);
		for (i = at; i < end; i++) {
			insns[i].src = i == at ? 0 : reg;
			insns[i].dst = i == end - 1 ? 0 : reg;
		}
	}
	insns[nr - 1].dst = FARGS_CHAIN_LAST;
}

notrace u8 *fargs_chain_put_str_anywhere(u8 *at, const struct fargs_insn *insn, u64 addr)
{
	s32 n = fargs_mem_copy_str_anywhere(at + FARGS_PUT_DATA, addr, (u32)insn->imm, insn->arg);

	return n < 0 ? fargs_put_end_fault(at, FARGS_TYPE_STR, addr) :
		       fargs_put_end(at, FARGS_TYPE_STR | n >> 16, (u16)n);
}

notrace u8 *fargs_chain_put_unreadable(u8 *to, u8 *body, const u8 *consts,
				       const struct fargs_insn *insn, u64 addr)
{
	u8 *data = body + insn->off;

	if (insn->op == FARGS_OP_PUT_STR)
		return fargs_put_end_fault(fargs_put_name(to, consts, insn), FARGS_TYPE_STR, addr);
	fargs_put_fault(data - 1, data, addr);
	return to;
}
