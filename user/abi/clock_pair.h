/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Relates the machine's clock (machine.h) to one of the system's.
 */
#ifndef FARGS_ABI_CLOCK_PAIR_H
#define FARGS_ABI_CLOCK_PAIR_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct fargs_clock_pair {
	uint64_t tsc;		/* before the other clock was read */
	uint64_t width;		/* so many ticks later, it had been read */
	uint64_t ns;		/* the other clock */
	int cpu;		/* whose TSC it is */
};

/*
 * Reads both clocks several times, since the task may be preempted in between, and takes the
 * narrowest pair. Returns false if @clock cannot be read, shows a time before 1970, or the task
 * moved to another CPU each time.
 */
bool fargs_clock_pair_read(clockid_t clock, struct fargs_clock_pair *pair);

#endif
