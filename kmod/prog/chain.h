/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs fetch programs that consist only of chains, such as "name:str" or "a->b->c". A chain is an
 * ARG, any number of LOADs, and an ST or PUT_STR, all on the same register. A chain has only one
 * value at a time, so it can run without the interpreter (prog/prog.c). The interpreter would write
 * the same bytes.
 *
 * Context: same as fargs_prog_run(). Everything is inlined once, into a separate capture path
 * (capture_chains() in probe/fetch.c), so that the registers of the call need not be moved.
 */
#ifndef FARGS_KMOD_PROG_CHAIN_H
#define FARGS_KMOD_PROG_CHAIN_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "prog/mem_word.h"
#include "prog/prog.h"
#include "prog/put.h"
#include "uapi/fargs_record.h"

/**
 * fargs_chain_put_str_anywhere() - append a string from any memory
 * @at: where the value's type is written; the value's name has already been written
 * @insn: the PUT_STR
 * @addr: address of the string
 *
 * For strings that the inlined code does not handle: strings that cannot be read in whole words
 * from the kernel's linear mappings, and unreadable strings.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: The end of the value.
 */
u8 *fargs_chain_put_str_anywhere(u8 *at, const struct fargs_insn *insn, u64 addr);

/**
 * fargs_chain_put_unreadable() - write an unreadable value
 * @to: where the next value is appended
 * @body: body of the record
 * @consts: constants of the program
 * @insn: the ST or PUT_STR that ends the chain
 * @addr: the address that could not be read
 *
 * Context: Any context, NMI included. Preemption is disabled.
 * Return: Where the next value is appended.
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
 * Is @insn a LOAD of 8 bytes of the kernel's memory? fargs_chains_translate() gives the LOADs of a
 * chain register 0, or register 1 if one of them reads user space, so one comparison is enough.
 */
static __always_inline bool fargs_chain_is_word(const struct fargs_insn *insn)
{
	u32 begin;

	memcpy(&begin, insn, sizeof(begin));
	return begin == (FARGS_OP_LOAD | 8 << 24);
}

/*
 * Runs the LOADs that begin at *@at, on the value *@value. Sets *@at to the instruction after them,
 * and *@value to the last value loaded; or, if a LOAD fails, returns false, and sets *@value to the
 * address that it tried to read.
 */
static __always_inline bool fargs_chain_follow(const struct fargs_insn **at, u64 *value)
{
	const struct fargs_insn *insn = *at;
	struct fargs_mem_value v;
	u64 addr = *value, word;

	for (;; insn++) {
		if (fargs_chain_is_word(insn)) {
			addr += (s64)insn->off;
			if (likely(fargs_arch_is_linear(addr))) {
				__get_kernel_nofault(&word, (u64 *)addr, u64, fault);
				addr = word;
				continue;
			}
		} else if (insn->op == FARGS_OP_LOAD) {
			addr += (s64)insn->off;
		} else {
			*at = insn;
			*value = addr;
			return true;
		}
		v = fargs_mem_load(addr, insn->arg, insn->imm);
		if (unlikely(!v.is_read))
			break;
		addr = v.value;
	}
fault:
	while (insn->op == FARGS_OP_LOAD)
		insn++;
	*at = insn;
	*value = addr;
	return false;
}

/*
 * Like fargs_prog_fetch(), for a program that consists only of chains. @regs: registers of the
 * call; @to: where the first value is appended. Returns the end of the last appended value.
 */
static __always_inline u8 *fargs_chains_fetch(const struct fargs_program *prog, const void *regs,
					      u8 *body, u8 *to)
{
	const struct fargs_insn *insn = prog->insns;
	u64 value;

	do {
		value = *(const u64 *)(regs + insn->off);
		insn++;
		if (unlikely(!fargs_chain_follow(&insn, &value)))
			to = fargs_chain_put_unreadable(to, body, prog->consts, insn, value);
		else if (insn->op == FARGS_OP_ST)
			fargs_put_u64(body + insn->off, value);
		else
			to = fargs_chain_put_str(to, prog->consts, insn, value);
	} while (unlikely((insn++)->dst != FARGS_CHAIN_LAST));
	return to;
}

#endif
