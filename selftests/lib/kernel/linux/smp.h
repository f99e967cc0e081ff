/* SPDX-License-Identifier: GPL-2.0-only */
/* The test program defines the CPU of each thread, and interrupts. */
#ifndef SELFTESTS_KERNEL_SMP_H
#define SELFTESTS_KERNEL_SMP_H

#include <stdbool.h>

struct cpumask;

extern _Thread_local int made_up_cpu;

#define raw_smp_processor_id()		made_up_cpu
#define smp_processor_id()		made_up_cpu

/* Runs @call on each CPU of @mask, in a thread of that CPU. Returns when all have run it. */
void on_each_cpu_mask(const struct cpumask *mask, void (*call)(void *arg), void *arg, bool is_wait);

#endif
