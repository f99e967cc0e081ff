/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the capture path needs of x86-64: where the stack slots are, and operations
 * that an interrupt on the same CPU cannot split. None has a lock prefix:
 * nobody else writes there.
 */
#ifndef FARGS_ARCH_X86_64_H
#define FARGS_ARCH_X86_64_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <asm/irqflags.h>

#include "compat/objtool.h"

static __always_inline void fargs_arch_inc(unsigned long *v)
{
	asm volatile("incq %0" : "+m" (*v) : : "memory", "cc");
}

static __always_inline void fargs_arch_dec(unsigned long *v)
{
	asm volatile("decq %0" : "+m" (*v) : : "memory", "cc");
}

static __always_inline bool fargs_arch_is_one(unsigned long *v)
{
	bool is_one;

	asm volatile("cmpq $1, %1" : "=@cce" (is_one) : "m" (*v) : "memory");
	return is_one;
}

/* Sets *@v to @new if it is *@old; else *@old to what it is. */
static __always_inline bool fargs_arch_try_cmpxchg(u64 *v, u64 *old, u64 new)
{
	bool is_set;

	asm volatile("cmpxchgq %[new], %[v]"
		     : "=@ccz" (is_set), [v] "+m" (*v), "+a" (*old)
		     : [new] "r" (new)
		     : "memory");
	return is_set;
}

/*
 * Takes a number: returns *@v and adds 1. @site is the name that the
 * instruction gets, as a symbol; the decoder of an Intel PT trace counts its
 * executions, so each capture path has exactly one (a second copy does not
 * assemble).
 */
#define fargs_arch_take_number(v, site)					\
({									\
	u64 number = 1;							\
	asm volatile(#site ":\n" ANNOTATE_NOENDBR "\nxaddq %0, %1"		\
		     : "+r" (number), "+m" (*(v)) : : "memory", "cc");	\
	number;								\
})

static __always_inline u16 fargs_arch_eflags(void)
{
	return (u16)native_save_fl();
}

/* Where the @n-th argument register is; by constants, nothing is looked up. */
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

/* At fentry sp points at the return address; what the caller pushed follows. */
static __always_inline unsigned long fargs_arch_stack_slot(const struct pt_regs *regs,
							   unsigned int slot)
{
	return regs->sp + 8 + 8 * (unsigned long)slot;
}

#endif
