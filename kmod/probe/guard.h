/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keeps programs from being run for what they have called themselves, without end:
 * what reads memory may fault, and the kernel's handling of faults can be traced.
 *
 * A guard is of one CPU and one session. Whoever holds it has preemption disabled, so
 * that only what interrupts it, or what it calls, can find it held. The two are
 * told apart by the kind of context: an interrupt has another one, and may hold the
 * guard meanwhile. It may not be known as an interrupt yet, in the kernel's first
 * functions of one; so in the same context a second one is let in, but no third.
 *
 * That is what ftrace's guard (ftrace_test_recursion_trylock()) does for each task, in
 * 40 instructions; this takes 10. It does not see other tracers, and need not: those
 * that call what is traced here end in this guard, or in their own.
 */
#ifndef FARGS_KMOD_PROBE_GUARD_H
#define FARGS_KMOD_PROBE_GUARD_H

#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "arch/cpu.h"

#define FARGS_GUARD_HELD	1u
#define FARGS_GUARD_TWICE	2u

/* The kind alone, not how deep interrupts are: kprobes count theirs as NMIs. */
static __always_inline u32 fargs_guard_context(void)
{
	u32 count = fargs_arch_preempt() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);

	if (likely(!count))
		return 0;
	return count & NMI_MASK ? NMI_OFFSET : count & HARDIRQ_MASK ? HARDIRQ_OFFSET :
	       SOFTIRQ_OFFSET;
}

/* False: a third one. *@before is for fargs_guard_leave(). */
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

/* The same where nobody holds it, as mostly; @before is 0 then. False: ask the other. */
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
