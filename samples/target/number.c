// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbered calls, whose argument shows their order.
 */
#include <linux/sched.h>

#include "target.h"

#define NUMBERS_BURST	1024

long fargs_n_number(unsigned long number);

fargs_t_target long fargs_n_number(unsigned long number)
{
	fargs_t_use(number);
	return 3 * number;
}

void target_number(u64 first, u64 times)
{
	u64 i;

	for (i = 0; i < times; i++) {
		fargs_n_number(first + i);
		if (i % NUMBERS_BURST == NUMBERS_BURST - 1)
			cond_resched();
	}
}
