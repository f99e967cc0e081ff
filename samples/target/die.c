// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that never return, because their thread exits inside them.
 */
#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "target.h"

int fargs_r_die(int a, struct completion *done);

fargs_t_target int fargs_r_die(int a, struct completion *done)
{
	int below = 0;

	if (a > 0)
		below = fargs_r_die(a - 1, done);
	else if (!a)
		kthread_complete_and_exit(done, 0);
	/* Keeps the compiler from turning the recursion into a loop. */
	asm volatile("" : "+r" (below));
	return a + below;
}

static int run(void *done)
{
	return fargs_r_die(2, done);
}

int target_die(unsigned int nr_threads)
{
	while (nr_threads--) {
		DECLARE_COMPLETION_ONSTACK(done);
		struct task_struct *task = kthread_run(run, &done, "fargs_die");

		if (IS_ERR(task))
			return PTR_ERR(task);
		/*
		 * The thread completes @done in the kernel's text and does not return to this
		 * module, which may then be unloaded. The thread exits slightly later: tests that
		 * depend on its exit must wait for it.
		 */
		wait_for_completion(&done);
	}
	return 0;
}
