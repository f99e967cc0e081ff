// SPDX-License-Identifier: GPL-2.0-only
#include "clock.h"

#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#define CLOCK_TRIES	8

bool fargs_clock_is_tsc(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) && !check_tsc_unstable();
}

/*
 * Runs on the CPU in question with interrupts off; an NMI, or a hypervisor, can
 * still come between: the try with the least between its two readings of the
 * TSC is kept. sched_clock_cpu() of this CPU is what perf calls its clock.
 */
static void sample_this_cpu(void *arg)
{
	struct fargs_clock_sample *sample = arg;
	u64 before, between, after, width = U32_MAX;
	int i;

	for (i = 0; i < CLOCK_TRIES; i++) {
		before = rdtsc_ordered();
		between = sched_clock_cpu(smp_processor_id());
		after = rdtsc_ordered();
		if (after - before >= width)
			continue;
		width = after - before;
		sample->tsc = before + width / 2;
		sample->perf_ns = between;
		sample->width_tsc = width;
		sample->is_valid = 1;
	}
	sample->mono_ns = ktime_get_mono_fast_ns();
	sample->real_ns = ktime_get_real_fast_ns();
}

void fargs_clock_sample_all(struct fargs_clock_sample *samples, u32 nr_cpus)
{
	int cpu;

	memset(samples, 0, nr_cpus * sizeof(*samples));
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		if (cpu < nr_cpus)
			smp_call_function_single(cpu, sample_this_cpu, &samples[cpu], 1);
	}
	cpus_read_unlock();
}
