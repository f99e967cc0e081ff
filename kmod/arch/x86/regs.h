/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers at a call and at a return on x86-64. At a call, struct pt_regs is as ftrace saves
 * it at the function's first instruction: it contains the argument registers, ip, bp, and sp, which
 * points to the return address; arguments on the stack follow the return address. At a return,
 * only the return value in struct pt_regs is valid.
 */
#ifndef FARGS_KMOD_ARCH_X86_REGS_H
#define FARGS_KMOD_ARCH_X86_REGS_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/unwind.h>

#include "arch/x86/tpoint.h"

/*
 * Returns the offset of argument register @n (counted from 0) in struct pt_regs, using constants
 * rather than a table.
 */
static __always_inline u32 fargs_arch_reg_offset(u32 n)
{
	switch (n) {
	case 0:
		return offsetof(struct pt_regs, di);
	case 1:
		return offsetof(struct pt_regs, si);
	case 2:
		return offsetof(struct pt_regs, dx);
	case 3:
		return offsetof(struct pt_regs, cx);
	case 4:
		return offsetof(struct pt_regs, r8);
	default:
		return offsetof(struct pt_regs, r9);
	}
}

static __always_inline u64 fargs_arch_first_arg(const struct pt_regs *regs)
{
	return regs->di;
}

/* Saves all argument registers, FARGS_REGS of them, in the order of the ABI. */
static __always_inline void fargs_arch_save_args(u64 *to, const struct pt_regs *regs)
{
	to[0] = regs->di;
	to[1] = regs->si;
	to[2] = regs->dx;
	to[3] = regs->cx;
	to[4] = regs->r8;
	to[5] = regs->r9;
}

static __always_inline unsigned long fargs_arch_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

/* Returns the address of stack slot @slot; @sp is the stack pointer at the function's entry. */
static __always_inline unsigned long fargs_arch_stack_slot(unsigned long sp, u32 slot)
{
	return sp + 8 + 8 * (unsigned long)slot;
}

/* Returns the return address on the stack, which a return probe may have replaced by its own. */
static __always_inline unsigned long fargs_arch_return_address(const struct pt_regs *regs)
{
	return *(unsigned long *)regs->sp;
}

/*
 * The return value of a call: fargs_arch_return_value() returns rax, and fargs_arch_return_high()
 * returns rdx, which has the upper part of a return value that does not fit into rax.
 */
static __always_inline u64 fargs_arch_return_value(const struct pt_regs *regs)
{
	return regs->ax;
}

static __always_inline u64 fargs_arch_return_high(const struct pt_regs *regs)
{
	return regs->dx;
}

/*
 * Appends return addresses to the @n addresses already in @to, beginning with the return address of
 * the caller, until there are @max addresses or the stack ends. @to need not be aligned. Returns
 * the number of addresses in @to. At a function's first instruction the unwinder needs only the
 * registers that ftrace has saved. It calls functions that ftrace can trace, and looks up modules
 * under RCU.
 *
 * @caller: return address of the call. If a tracepoint's iterator has called the probe, it is the
 * return address of the iterator (arch/iterator.h), and the iterator's frame is skipped, too.
 */
static __always_inline u32 fargs_arch_unwind(struct pt_regs *regs, unsigned long caller, u8 *to,
					     u32 n, u32 max)
{
	struct unwind_state state;
	unsigned long addr;

	unwind_start(&state, current, regs, NULL);
	if (regs->ip == (unsigned long)fargs_tpoint_stub &&
	    fargs_arch_return_address(regs) != caller &&
	    unwind_get_return_address(&state) != caller)
		unwind_next_frame(&state);
	while (n < max && !unwind_done(&state) && unwind_next_frame(&state)) {
		addr = unwind_get_return_address(&state);
		if (!addr)
			break;
		memcpy(to + 8 * n++, &addr, sizeof(addr));
	}
	return n;
}

#endif
