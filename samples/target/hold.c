// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nested calls that do not return until their task gets a signal.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "target.h"

int fargs_d_hold(int a);

/*
 * Makes @a more nested calls, and sleeps in the innermost. Returns the sum of the numbers up to @a.
 */
fargs_t_target int fargs_d_hold(int a)
{
	int below = 0;

	if (a) {
		below = fargs_d_hold(a - 1);
	} else {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!signal_pending(current))
			schedule();
		__set_current_state(TASK_RUNNING);
	}
	/* Keeps the compiler from turning the recursion into a loop. */
	asm volatile("" : "+r" (below));
	return a + below;
}

void target_hold(unsigned int nr)
{
	fargs_d_hold(nr - 1);
}
