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
 * If the kernel does not trust the TSC, it sets sched_clock_cpu() of a CPU to CLOCK_MONOTONIC plus
 * a constant at each tick. Between ticks, sched_clock_cpu() advances with the TSC, by at most the
 * length of one tick. So if ticks are delayed, sched_clock_cpu() lags: by up to seconds on a busy
 * virtual machine, in a task as well as in an interrupt (6.1). CLOCK_MONOTONIC is the same on all
 * CPUs, and is read from a clocksource that the kernel trusts. So the perf_ns of a sample is
 * CLOCK_MONOTONIC plus perf_offset_ns. perf_offset_ns is the largest difference between
 * sched_clock_cpu() and CLOCK_MONOTONIC that was ever seen on any CPU: it never decreases, since
 * samples must not go backwards.
 */
static DEFINE_MUTEX(offset_lock);
static s64 perf_offset_ns = S64_MIN;

struct reading {
	struct fargs_clock_sample *sample;
	bool is_tsc;
	s64 offset_ns;		/* largest difference seen: sched_clock_cpu() - CLOCK_MONOTONIC */
};

/*
 * Makes the kernel update this CPU's sched_clock_cpu() from CLOCK_MONOTONIC, as a tick does; has no
 * effect if sched_clock_cpu() is not derived from CLOCK_MONOTONIC. Then measures the difference
 * between the two clocks. sched_clock_cpu() is read first, so that a delay between the two reads
 * makes the difference smaller, never larger.
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
 * still cause a delay, so of several tries, the one with the shortest time between its two reads of
 * the TSC is used. perf's clock is sched_clock_cpu() of this CPU.
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
	/* If the TSC is not stable, perf_ns will be exactly mono_ns plus perf_offset_ns. */
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
