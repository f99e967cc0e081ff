/* SPDX-License-Identifier: GPL-2.0-only */
/* Per-CPU memory is an array with an element for each CPU. */
#ifndef SELFTESTS_KERNEL_PERCPU_H
#define SELFTESTS_KERNEL_PERCPU_H

#include <linux/slab.h>
#include <linux/smp.h>

#define __percpu
#define raw_cpu_read_4(variable)		0
#define this_cpu_read(variable)		(variable)
#define per_cpu_ptr(array, cpu)		(&(array)[cpu])
#define this_cpu_ptr(array)		(&(array)[raw_smp_processor_id()])
#define alloc_percpu_gfp(type, gfp)	\
	((type *)made_up_alloc(num_possible_cpus() * sizeof(type), __alignof__(type)))
#define free_percpu(array)		kfree(array)

#endif
