/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prevents endless recursion of programs: a program that reads memory may fault, and functions of
 * the kernel's fault handling can be traced, with programs that fault as well.
 *
 * There is one guard for each CPU and session. Its holder has preemption disabled, so only code
 * that interrupts the holder or that the holder calls can find the guard held. The kind of context
 * distinguishes the two: code in another kind of context has interrupted the holder, and may take
 * the guard until it returns. But the first kernel functions in an interrupt run before
 * preempt_count shows the interrupt. So in the same kind of context the guard may be held twice,
 * but not three times.
 *
 * ftrace's guard (ftrace_test_recursion_trylock()) does the same per task in 40 instructions;
 * fargs's guard takes 10. Unlike ftrace's, it does not detect recursion through other tracers, and
 * need not: if a tracer's callbacks call functions that fargs traces, either this guard or the
 * tracer's own guard ends the recursion.
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
 * Returns the kind of context, without the nesting depth. A kprobe's breakpoint increases the NMI
 * depth, so with the depth, each recursion through a kprobe would look like a new context.
 */
static __always_inline u32 fargs_guard_context(void)
{
	u32 count = fargs_arch_preempt() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);

	if (likely(!count))
		return 0;
	return count & NMI_MASK ? NMI_OFFSET : count & HARDIRQ_MASK ? HARDIRQ_OFFSET :
	       SOFTIRQ_OFFSET;
}

/* Returns false if the guard is held twice already. Pass *@before to fargs_guard_leave(). */
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
 * Fast path for a guard that is not held. If it returns true, pass 0 to fargs_guard_leave();
 * otherwise use fargs_guard_enter().
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
