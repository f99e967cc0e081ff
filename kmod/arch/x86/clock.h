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

/*
 * A time, in two halves: shifting them into one register takes longer than storing them one by one.
 */
struct fargs_arch_time {
	u32 low, high;
};

/* Stores a time in *@to. */
static __always_inline void fargs_arch_time_store(__u64 *to, const struct fargs_arch_time *time)
{
	__u32 *half = (__u32 *)to;

	WRITE_ONCE(half[0], time->low);
	WRITE_ONCE(half[1], time->high);
}

static __always_inline u64 fargs_arch_time_value(const struct fargs_arch_time *time)
{
	return (u64)time->high << 32 | time->low;
}

/*
 * Reads the TSC, then sets *@v to @new if it equals @old. Returns whether it did. Sets *@found to
 * the value that *@v had. Atomic against interrupts on the same CPU. The exchange puts @old where
 * CMPXCHG compares with it, and keeps the low half of the TSC without a further register.
 */
static __always_inline bool fargs_arch_time_cmpxchg(u64 *v, u64 old, u64 new, u64 *found,
						     struct fargs_arch_time *time)
{
	u64 high;
	bool is_set;

	asm volatile("rdtsc\n\t"
		     "xchgq %[old], %[found]\n\t"
		     "cmpxchgq %[new], %[v]"
		     : "=@ccz" (is_set), [v] "+m" (*v), [old] "+r" (old), [found] "=&a" (*found),
		       "=&d" (high)
		     : [new] "r" (new)
		     : "memory");
	time->low = old;
	time->high = high;
	return is_set;
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
