/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetch programs that are chains and nothing else, like "name:str" or "a->b->c": an
 * ARG, LOADs of what it leads to, and an ST or PUT_STR of that, each of the register of
 * the one before; and the same again. They need no machine (prog/prog.c), since one value is
 * on its way at a time. What they write is the same, byte for byte.
 *
 * Context: as fargs_prog_run(). Code: all of it is inlined once, in a capture path of its own
 * (capture_chains() in probe/entry_fetch.c), so that the call's registers stay where they are.
 */
#ifndef FARGS_KMOD_PROG_CHAIN_H
#define FARGS_KMOD_PROG_CHAIN_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "prog/mem_word.h"
#include "prog/prog.h"
#include "prog/put.h"
#include "uapi/fargs_record.h"

/**
 * fargs_chain_put_str_anywhere() - append a string, whatever memory it is in
 * @at: where the value's type goes
 * @insn: the PUT_STR
 * @addr: of the string
 *
 * What is not done in line: one that is not whole words of the kernel, or is unreadable. Its name
 * has been written.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: Where the value ends.
 */
u8 *fargs_chain_put_str_anywhere(u8 *at, const struct fargs_insn *insn, u64 addr);

/**
 * fargs_chain_put_unreadable() - write what a chain has led to that cannot be read
 * @to: where values are appended
 * @body: the record's
 * @consts: the program's
 * @insn: the ST or PUT_STR that ends the chain
 * @addr: what could not be read
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: Where values are appended next.
 */
u8 *fargs_chain_put_unreadable(u8 *to, u8 *body, const u8 *consts,
			       const struct fargs_insn *insn, u64 addr);

static __always_inline u8 *fargs_chain_put_str(u8 *to, const u8 *consts,
					       const struct fargs_insn *insn, u64 addr)
{
	u8 *at = fargs_put_name(to, consts, insn);
	u32 len;

	if (likely(fargs_mem_copy_str_words(at + FARGS_PUT_DATA, addr, (u32)insn->imm, insn->arg,
					    &len)))
		return fargs_put_end(at, FARGS_TYPE_STR, len);
	return fargs_chain_put_str_anywhere(at, insn, addr);
}

/*
 * Goes along the LOADs at @insn, and returns what follows them, *@value being what they
 * lead to; or the LOAD that failed, *@value being its address.
 */
static __always_inline const struct fargs_insn *
fargs_chain_follow(const struct fargs_insn *insn, u64 *value)
{
	struct fargs_mem_value v;

	for (; unlikely(insn->op == FARGS_OP_LOAD); insn++) {
		*value += (s64)insn->off;
		v = fargs_mem_load_word(*value, insn->arg, insn->imm);
		if (unlikely(!v.is_read))
			break;
		*value = v.value;
	}
	return insn;
}

/* fargs_prog_fetch() of such a program; @to: where it appends, @regs: those of the call. */
static __always_inline u8 *fargs_chains_fetch(const struct fargs_program *prog, const void *regs,
					      u8 *body, u8 *to)
{
	const struct fargs_insn *insn = prog->insns;
	u64 value;

	do {
		value = *(const u64 *)(regs + insn->off);
		insn = fargs_chain_follow(insn + 1, &value);
		if (unlikely(insn->op == FARGS_OP_LOAD)) {
			do
				insn++;
			while (insn->op == FARGS_OP_LOAD);
			to = fargs_chain_put_unreadable(to, body, prog->consts, insn, value);
		} else if (insn->op == FARGS_OP_ST) {
			fargs_put_u64(body + insn->off, value);
		} else {
			to = fargs_chain_put_str(to, prog->consts, insn, value);
		}
	} while (unlikely((insn++)->dst != FARGS_CHAIN_LAST));
	return to;
}

#endif
