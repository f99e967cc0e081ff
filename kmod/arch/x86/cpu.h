/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operations of x86-64 that are atomic against interrupts on the same CPU. They need no lock
 * prefix, since no other CPU writes to the same memory.
 */
#ifndef FARGS_KMOD_ARCH_X86_CPU_H
#define FARGS_KMOD_ARCH_X86_CPU_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <asm/current.h>
#include <asm/irqflags.h>

#include "arch/x86/objtool.h"
#include "compat/features.h"

static __always_inline void fargs_arch_inc(unsigned long *v)
{
	asm volatile("incq %0" : "+m" (*v) : : "memory", "cc");
}

static __always_inline void fargs_arch_dec(unsigned long *v)
{
	asm volatile("decq %0" : "+m" (*v) : : "memory", "cc");
}

/* Sets *@v to @new if it equals *@old, and returns true; otherwise sets *@old to *@v. */
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
 * Allocates a sequence number: returns *@v and adds 1 to *@v. @site becomes a
 * symbol at the instruction. The decoder of an Intel PT trace counts how often
 * that instruction executes, so each capture path has exactly one (a second copy
 * of the symbol would not assemble).
 */
#define fargs_arch_next_seq(v, site)					\
({									\
	u64 number = 1;							\
	asm volatile(#site ":\n" ANNOTATE_NOENDBR "\nxaddq %0, %1"		\
		     : "+r" (number), "+m" (*(v)) : : "memory", "cc");	\
	number;								\
})

/*
 * Returns current. It is loaded here: the compiler would keep the value of an earlier use of
 * current in a register that the capture path must save and restore.
 */
static __always_inline struct task_struct *fargs_arch_current(void)
{
#ifdef FARGS_HAS_PCPU_HOT	/* 6.2 to 6.14 */
	return this_cpu_read(pcpu_hot.current_task);
#else
	return this_cpu_read(current_task);
#endif
}

static __always_inline u16 fargs_arch_eflags(void)
{
	return (u16)native_save_fl();
}

/*
 * Keeps the compiler from merging the end of this code with that of a copy which has another @nr (a
 * constant), at the price of a jump.
 */
#define fargs_arch_keep_apart(nr)	asm volatile("" : : "i" (nr))

/*
 * Returns the preempt count, in bits of FARGS_PREEMPT_*. The value includes the inverted
 * need-resched bit, which preempt_count() masks out.
 */
static __always_inline u32 fargs_arch_preempt(void)
{
#ifdef FARGS_HAS_PCPU_HOT	/* 6.2 to 6.14 */
	return raw_cpu_read_4(pcpu_hot.preempt_count);
#else
	return raw_cpu_read_4(__preempt_count);
#endif
}

#endif
