/* SPDX-License-Identifier: GPL-2.0-only */
/* Masks of at most 64 CPUs. The number of CPUs and the masks are defined by the test program. */
#ifndef SELFTESTS_KERNEL_CPUMASK_H
#define SELFTESTS_KERNEL_CPUMASK_H

#include <stdbool.h>

typedef struct cpumask {
	unsigned long bits;
} cpumask_var_t[1];

extern unsigned int made_up_cpus;
extern struct cpumask made_up_online, made_up_possible;

#define cpu_online_mask			(&made_up_online)
#define cpu_possible_mask		(&made_up_possible)
#define num_possible_cpus()		made_up_cpus
#define nr_cpu_ids			made_up_cpus
#define cpu_online(cpu)			(cpumask_bits(&made_up_online) >> (cpu) & 1)
#define cpu_active(cpu)			cpu_online(cpu)
#define cpu_to_node(cpu)		0
#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (unsigned int)(cpu) < made_up_cpus; (cpu)++)
#define for_each_cpu(cpu, mask)						\
	for_each_possible_cpu(cpu)					\
		if (cpumask_bits(mask) >> (cpu) & 1)

static inline unsigned long cpumask_bits(const struct cpumask *mask)
{
	return __atomic_load_n(&mask->bits, __ATOMIC_SEQ_CST);
}

static inline bool alloc_cpumask_var(cpumask_var_t *mask, int gfp)
{
	(void)mask;
	(void)gfp;
	return true;
}

static inline void free_cpumask_var(cpumask_var_t mask)
{
	(void)mask;
}

static inline void cpumask_copy(struct cpumask *to, const struct cpumask *from)
{
	__atomic_store_n(&to->bits, cpumask_bits(from), __ATOMIC_SEQ_CST);
}

static inline void cpumask_clear_cpu(int cpu, struct cpumask *mask)
{
	__atomic_fetch_and(&mask->bits, ~(1ul << cpu), __ATOMIC_SEQ_CST);
}

static inline bool cpumask_empty(const struct cpumask *mask)
{
	return !cpumask_bits(mask);
}

static inline bool cpumask_intersects(const struct cpumask *a, const struct cpumask *b)
{
	return cpumask_bits(a) & cpumask_bits(b);
}

static inline bool cpumask_subset(const struct cpumask *a, const struct cpumask *b)
{
	return !(cpumask_bits(a) & ~cpumask_bits(b));
}

#endif
