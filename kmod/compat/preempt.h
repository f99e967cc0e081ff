/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_COMPAT_PREEMPT_H
#define FARGS_KMOD_COMPAT_PREEMPT_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/thread_info.h>

#include "arch/cpu.h"
#include "uapi/fargs_record.h"

/* The bits of fargs_record.preempt are those of the kernel's preempt count. */
static_assert(PREEMPT_MASK == FARGS_PREEMPT_DEPTH);
static_assert(SOFTIRQ_MASK == FARGS_PREEMPT_SOFTIRQ);
static_assert(SOFTIRQ_OFFSET == FARGS_PREEMPT_SERVING);
static_assert(HARDIRQ_MASK == FARGS_PREEMPT_HARDIRQ);
static_assert(NMI_MASK == FARGS_PREEMPT_NMI);
static_assert((u32)PREEMPT_NEED_RESCHED == FARGS_PREEMPT_NO_RESCHED);

/*
 * fargs_record.tif contains the low 16 bits of the flags. On the real-time kernel 6.1, the bit that
 * requests lazy rescheduling is above bit 15. It is shifted right by TIF_LAZY_SHIFT, and replaces
 * bit 15.
 */
static_assert(TIF_NEED_RESCHED < 15);
#define FARGS_COMPAT_TIF_RESCHED	(1u << TIF_NEED_RESCHED)
#ifndef _TIF_NEED_RESCHED_LAZY
#define TIF_LAZY_SHIFT		0
#define FARGS_COMPAT_TIF_RESCHED_LAZY	0
#elif TIF_NEED_RESCHED_LAZY < 16
#define TIF_LAZY_SHIFT		0
#define FARGS_COMPAT_TIF_RESCHED_LAZY	\
	(TIF_NEED_RESCHED_LAZY == TIF_NEED_RESCHED ? 0 : 1u << TIF_NEED_RESCHED_LAZY)
#else
#define TIF_LAZY_SHIFT		(TIF_NEED_RESCHED_LAZY - 15)
#define FARGS_COMPAT_TIF_RESCHED_LAZY	(1u << 15)
#endif

/* Returns the value of fargs_record.tif for a task. */
static __always_inline u16 fargs_compat_tif(struct task_struct *task)
{
	const unsigned long flags = READ_ONCE(task_thread_info(task)->flags);

	if (!TIF_LAZY_SHIFT)
		return flags;
	return (flags & 0x7fff) | (flags >> TIF_LAZY_SHIFT & 0x8000);
}

/*
 * Returns the value of fargs_record.preempt: the preempt count. With PREEMPT_RT the preempt count
 * has no softirq bits, since tasks serve soft interrupts, and can be preempted while they do. The
 * softirq bits are then in the task_struct.
 */
static __always_inline u32 fargs_compat_preempt(void)
{
#ifdef CONFIG_PREEMPT_RT
	return fargs_arch_preempt() | (current->softirq_disable_cnt & SOFTIRQ_MASK);
#else
	return fargs_arch_preempt();
#endif
}

#endif
