/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_COMPAT_TRACEPOINT_H
#define FARGS_KMOD_COMPAT_TRACEPOINT_H

#include <linux/kconfig.h>
#include <linux/tracepoint.h>

#include "compat/features.h"

/*
 * With kCFI (CONFIG_CFI since 6.18) an indirect call fails if the function does not have the
 * type of the pointer. A probe function shared by all tracepoints would always fail this check.
 */
#if IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI)
#define FARGS_COMPAT_TPOINTS	false
#else
#define FARGS_COMPAT_TPOINTS	true
#endif

/* Declares @name as a probe of sched_process_exit. */
#ifdef FARGS_HAS_TRACEPOINT_EXIT_GROUP
#define FARGS_COMPAT_EXIT_PROBE(name)	\
	void name(void *data, struct task_struct *task, bool is_group_dead)
#else
#define FARGS_COMPAT_EXIT_PROBE(name)	\
	void name(void *data, struct task_struct *task)
#endif

/*
 * Returns how often the kernel disables preemption around the probes of @tp. 7.x and later: never,
 * because the kernel uses SRCU instead. Before 7.x: once, but since 6.13 never for tracepoints of
 * system calls, whose probes may fault.
 */
static inline u32 fargs_compat_tpoint_depth(struct tracepoint *tp)
{
#ifndef FARGS_HAS_TRACEPOINT_PREEMPT
	return 0;
#elif defined(FARGS_HAS_TRACEPOINT_FAULTABLE)
	return !tracepoint_is_faultable(tp);
#else
	return 1;
#endif
}

#endif
