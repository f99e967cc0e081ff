// SPDX-License-Identifier: GPL-2.0-only
#include "abi/clock_pair.h"

#include <sched.h>

#include "abi/machine.h"

#define READINGS	8

bool fargs_clock_pair_read(clockid_t clock, struct fargs_clock_pair *pair)
{
	struct fargs_clock_pair now;
	struct timespec ts;
	bool is_read = false;
	unsigned int i;

	for (i = 0; i < READINGS; i++) {
		now.cpu = sched_getcpu();
		now.tsc = fargs_machine_clock();
		if (clock_gettime(clock, &ts) || ts.tv_sec < 0)
			return false;
		now.width = fargs_machine_clock() - now.tsc;
		if (now.cpu < 0 || sched_getcpu() != now.cpu ||
		    (is_read && now.width >= pair->width))
			continue;
		now.ns = ts.tv_sec * 1000000000ull + ts.tv_nsec;
		*pair = now;
		is_read = true;
	}
	return is_read;
}
