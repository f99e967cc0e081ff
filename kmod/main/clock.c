// SPDX-License-Identifier: GPL-2.0-only
#include "main/clock.h"

#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "arch/clock.h"

#define CLOCK_TRIES	8

/*
 * Where the kernel does not trust the TSC, the clock of a CPU is CLOCK_MONOTONIC plus a constant as
 * of the CPU's last tick, and advances with the TSC from then on, for at most the time of one tick.
 * If ticks are delayed, it lags: by up to seconds on a busy virtual machine, in a task as well as
 * in an interrupt (6.1). CLOCK_MONOTONIC itself is the same on all CPUs, and read from a source
 * that the kernel trusts. So a sample is CLOCK_MONOTONIC plus the constant. The constant is the
 * difference where the clock is furthest ahead, the largest one ever seen, since samples must not
 * go backwards.
 */
static DEFINE_MUTEX(offset_lock);
static s64 perf_offset_ns = S64_MIN;

struct reading {
	struct fargs_clock_sample *sample;
	bool is_tsc;
	s64 offset_ns;		/* perf clock minus CLOCK_MONOTONIC is at least this */
};

/*
 * Makes the kernel update this CPU's clock from CLOCK_MONOTONIC, as a tick does; without effect
 * where the clock is not derived from CLOCK_MONOTONIC. The clock is read before CLOCK_MONOTONIC: a
 * delay between the two makes the difference smaller, never larger.
 */
static void update_offset(struct reading *reading)
{
	u64 perf_ns;

	sched_clock_idle_wakeup_event();
	perf_ns = sched_clock_cpu(smp_processor_id());
	reading->offset_ns = max_t(s64, reading->offset_ns, perf_ns - ktime_get_ns());
}

/*
 * Runs on the CPU to be sampled, from an IPI, with interrupts disabled. An NMI or a hypervisor can
 * still delay it, so the try with the shortest time between its two readings of the TSC is kept.
 * perf's clock is sched_clock_cpu() of this CPU.
 */
static void sample_this_cpu(void *arg)
{
	struct reading *reading = arg;
	struct fargs_clock_sample *sample = reading->sample;
	u64 before, between, after, width = U32_MAX;
	int i;

	for (i = 0; i < CLOCK_TRIES; i++) {
		if (!reading->is_tsc)
			update_offset(reading);
		before = fargs_arch_clock_ordered();
		between = reading->is_tsc ? sched_clock_cpu(smp_processor_id()) : ktime_get_ns();
		after = fargs_arch_clock_ordered();
		if (after - before >= width)
			continue;
		width = after - before;
		sample->tsc = before + width / 2;
		sample->perf_ns = between;
		sample->mono_ns = between;
		sample->width_tsc = width;
		sample->is_valid = FARGS_CLOCK_VALID |
				   (reading->is_tsc ? 0 : FARGS_CLOCK_UNSTABLE);
	}
	/* Without a stable TSC, perf_ns is mono_ns plus an offset: their difference is exact. */
	if (reading->is_tsc)
		sample->mono_ns = ktime_get_mono_fast_ns();
	sample->real_ns = ktime_get_real_fast_ns();
}

void fargs_clock_sample_all(struct fargs_clock_sample *samples, u32 nr_cpus)
{
	struct reading reading = { .is_tsc = fargs_arch_clock_is_stable(), .offset_ns = S64_MIN };
	u32 cpu;

	memset(samples, 0, nr_cpus * sizeof(*samples));
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		reading.sample = &samples[cpu];
		if (cpu < nr_cpus)
			smp_call_function_single(cpu, sample_this_cpu, &reading, 1);
	}
	cpus_read_unlock();
	if (reading.is_tsc)
		return;

	mutex_lock(&offset_lock);
	perf_offset_ns = max(perf_offset_ns, reading.offset_ns);
	for (cpu = 0; cpu < nr_cpus; cpu++)
		if (samples[cpu].is_valid)
			samples[cpu].perf_ns += perf_offset_ns;
	mutex_unlock(&offset_lock);
}
