/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prevents endless recursion of programs: a program that reads memory may fault, and functions of
 * the kernel's fault handling can be traced with programs themselves.
 *
 * There is one guard for each CPU and session. Its holder has preemption disabled, so only code
 * that interrupts the holder or that the holder calls can find the guard held. The kind of context
 * distinguishes the two: in another kind of context it is an interrupt, which may take the guard
 * meanwhile. But the kernel's first functions in an interrupt run before preempt_count shows the
 * interrupt. So in the same kind of context a second holder is allowed, and no third.
 *
 * ftrace's guard (ftrace_test_recursion_trylock()) does the same for each task in 40 instructions;
 * this one takes 10. It does not notice other tracers, and need not: a tracer whose callbacks call
 * functions that are traced here is stopped by this guard or by its own.
 */
#ifndef FARGS_KMOD_PROBE_GUARD_H
#define FARGS_KMOD_PROBE_GUARD_H

#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "arch/cpu.h"

#define FARGS_GUARD_HELD	1u
#define FARGS_GUARD_TWICE	2u

/*
 * The kind of context without the nesting depth. The breakpoint of a kprobe counts as an NMI, so
 * recursion through kprobes would have another depth each time.
 */
static __always_inline u32 fargs_guard_context(void)
{
	u32 count = fargs_arch_preempt() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);

	if (likely(!count))
		return 0;
	return count & NMI_MASK ? NMI_OFFSET : count & HARDIRQ_MASK ? HARDIRQ_OFFSET :
	       SOFTIRQ_OFFSET;
}

/* Returns false if there are two holders already. Pass *@before to fargs_guard_leave(). */
static __always_inline bool fargs_guard_enter(u32 *guard, u32 *before)
{
	u32 was = READ_ONCE(*guard), held = fargs_guard_context() | FARGS_GUARD_HELD;

	if (unlikely((was & ~FARGS_GUARD_TWICE) == held)) {
		if (was & FARGS_GUARD_TWICE)
			return false;
		held |= FARGS_GUARD_TWICE;
	}
	*before = was;
	WRITE_ONCE(*guard, held);
	barrier();
	return true;
}

/*
 * Fast path for a guard that is not held; pass 0 to fargs_guard_leave(). If it returns false, use
 * fargs_guard_enter().
 */
static __always_inline bool fargs_guard_enter_free(u32 *guard)
{
	if (unlikely(READ_ONCE(*guard)))
		return false;
	WRITE_ONCE(*guard, fargs_guard_context() | FARGS_GUARD_HELD);
	barrier();
	return true;
}

static __always_inline void fargs_guard_leave(u32 *guard, u32 before)
{
	barrier();
	WRITE_ONCE(*guard, before);
}

#endif
