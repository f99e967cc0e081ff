/* SPDX-License-Identifier: GPL-2.0-only */
/* The TSC. */
#ifndef FARGS_KMOD_ARCH_X86_CLOCK_H
#define FARGS_KMOD_ARCH_X86_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/tsc.h>

/*
 * Not ordered with the instructions around it, which would cost more than all the rest of an event:
 * what a ring needs is that its own times do not go back (ring/record.h).
 */
static __always_inline u64 fargs_arch_clock(void)
{
	return rdtsc();
}

/* The same after what is before it. */
static __always_inline u64 fargs_arch_clock_ordered(void)
{
	return rdtsc_ordered();
}

static inline u32 fargs_arch_clock_khz(void)
{
	return tsc_khz;
}

/* Whether the perf clock follows it, alike on all CPUs. */
static inline bool fargs_arch_clock_is_stable(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) && !check_tsc_unstable();
}

#endif
