/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_COMPAT_PREEMPT_H
#define FARGS_KMOD_COMPAT_PREEMPT_H

#include <linux/preempt.h>
#include <linux/thread_info.h>

#include "uapi/fargs_record.h"

/* The bits of fargs_record.preempt are those of the kernel's preempt count. */
static_assert(PREEMPT_MASK == FARGS_PREEMPT_DEPTH);
static_assert(SOFTIRQ_MASK == FARGS_PREEMPT_SOFTIRQ);
static_assert(SOFTIRQ_OFFSET == FARGS_PREEMPT_SERVING);
static_assert(HARDIRQ_MASK == FARGS_PREEMPT_HARDIRQ);
static_assert(NMI_MASK == FARGS_PREEMPT_NMI);
static_assert((u32)PREEMPT_NEED_RESCHED == FARGS_PREEMPT_NO_RESCHED);

static_assert(TIF_NEED_RESCHED < 16);
#define FARGS_COMPAT_TIF_RESCHED	(1u << TIF_NEED_RESCHED)
#ifdef _TIF_NEED_RESCHED_LAZY
static_assert(TIF_NEED_RESCHED_LAZY < 16);
#define FARGS_COMPAT_TIF_RESCHED_LAZY	\
	(TIF_NEED_RESCHED_LAZY == TIF_NEED_RESCHED ? 0 : 1u << TIF_NEED_RESCHED_LAZY)
#else
#define FARGS_COMPAT_TIF_RESCHED_LAZY	0
#endif

#endif
