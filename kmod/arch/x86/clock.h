/* SPDX-License-Identifier: GPL-2.0-only */
/* The TSC is the clock of records on x86-64. */
#ifndef FARGS_KMOD_ARCH_X86_CLOCK_H
#define FARGS_KMOD_ARCH_X86_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/tsc.h>

/*
 * Reads the TSC without ordering it with the instructions around it, which would cost more than the
 * rest of an event. A ring only needs timestamps that do not go backwards (ring/record.h).
 */
static __always_inline u64 fargs_arch_clock(void)
{
	return rdtsc();
}

/* Reads the TSC after the instructions before it. */
static __always_inline u64 fargs_arch_clock_ordered(void)
{
	return rdtsc_ordered();
}

static inline u32 fargs_arch_clock_khz(void)
{
	return tsc_khz;
}

/* Does the perf clock follow the TSC, in the same way on all CPUs? */
static inline bool fargs_arch_clock_is_stable(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) && !check_tsc_unstable();
}

#endif
