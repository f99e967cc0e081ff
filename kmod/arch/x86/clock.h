/* SPDX-License-Identifier: GPL-2.0-only */
/* On x86-64, the timestamps of records are TSC values. */
#ifndef FARGS_KMOD_ARCH_X86_CLOCK_H
#define FARGS_KMOD_ARCH_X86_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/tsc.h>

/*
 * Reads the TSC without ordering the read with the instructions around it: ordering would cost more
 * than all other work for an event. Ordering is not needed: the timestamps in a ring only have to
 * be monotonic, which fargs_record_reserve() ensures.
 */
static __always_inline u64 fargs_arch_clock(void)
{
	return rdtsc();
}

/* Reads the TSC once all previous instructions have executed. */
static __always_inline u64 fargs_arch_clock_ordered(void)
{
	return rdtsc_ordered();
}

static inline u32 fargs_arch_clock_khz(void)
{
	return tsc_khz;
}

/* Is the perf clock computed from the TSC, in the same way on all CPUs? */
static inline bool fargs_arch_clock_is_stable(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) && !check_tsc_unstable();
}

#endif
