/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface to the witness in samples/target/witness.c, which counts calls independently of fargs.
 */
#ifndef FARGS_SELFTESTS_WITNESS_H
#define FARGS_SELFTESTS_WITNESS_H

#include <sched.h>

#include "session.h"

#define WITNESS_PROC	"/proc/fargs_witness"

/* The same struct as in samples/target/witness.c. */
struct mark {
	uint64_t nr;
	uint64_t count;	/* calls counted on this CPU */
	uint64_t cpu;
};

/* Counts calls of the functions at these fentry addresses until @fd is closed. */
static inline void witness_begin(int fd, const uint64_t *ips, uint32_t nr)
{
	size_t bytes = nr * sizeof(*ips);

	must(write(fd, ips, bytes) == (ssize_t)bytes ? 0 : -errno, WITNESS_PROC);
}

static inline struct mark witness_mark(int fd)
{
	struct mark mark;

	must(read(fd, &mark, sizeof(mark)) == sizeof(mark) ? 0 : -errno, WITNESS_PROC);
	return mark;
}

/*
 * Returns the sum of the counts of @nr_cpus CPUs. Only the difference of two sums is a number of
 * calls. Must be called while no counted calls are made. Restores the task's CPU affinity.
 */
static inline uint64_t witness_sum(int fd, uint32_t nr_cpus)
{
	uint64_t sum = 0;
	cpu_set_t before;
	uint32_t cpu;

	must(sched_getaffinity(0, sizeof(before), &before) ? -errno : 0, "affinity");
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (!sched_setaffinity(0, sizeof(set), &set))
			sum += witness_mark(fd).count;
	}
	must(sched_setaffinity(0, sizeof(before), &before) ? -errno : 0, "affinity");
	return sum;
}

#endif
