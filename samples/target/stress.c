// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the same calls in threads, hard interrupts and soft interrupts at the same time.
 *
 * irq_work runs in a hard interrupt. The callback of call_rcu() runs in a soft interrupt (or in a
 * thread if the kernel was booted with rcu_nocbs=). Their interfaces, unlike those of timers and
 * tasklets, have not changed for a long time.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "target.h"

/* Maximum number of calls in a row; after them, other tasks may get the CPU. */
#define THREAD_BURST	64
#define HARDIRQ_BURST	64
/*
 * Maximum number of calls in a row in a soft interrupt. This is more than in a thread, because the
 * callback runs only every few milliseconds.
 */
#define SOFTIRQ_BURST	4096

struct stress_worker {
	const char *name;
	u64 thread_left;
	/* Calls left for hard interrupts. While @hardirq is queued, only the interrupt uses it. */
	u64 hardirq_left;
	/* Calls left for soft interrupts. While @has_softirq is set, only the callback uses it. */
	u64 softirq_left;
	bool has_softirq;	/* set by the thread before call_rcu(), cleared by the callback */
	struct irq_work hardirq;
	struct rcu_head softirq;
	struct completion done;
	struct task_struct *task;
};

static void burst(const char *name, u64 *left, u64 max)
{
	struct target_run run = { .name = name, .times = min(*left, max) };

	if (!run.times)
		return;
	*left -= run.times;
	target_walk(&run);
}

static void hardirq_burst(struct irq_work *work)
{
	struct stress_worker *worker = container_of(work, struct stress_worker, hardirq);

	burst(worker->name, &worker->hardirq_left, HARDIRQ_BURST);
}

static void softirq_burst(struct rcu_head *head)
{
	struct stress_worker *worker = container_of(head, struct stress_worker, softirq);

	burst(worker->name, &worker->softirq_left, SOFTIRQ_BURST);
	/* Pairs with the smp_load_acquire() in worker_step(). */
	smp_store_release(&worker->has_softirq, false);
}

static bool worker_step(struct stress_worker *worker)
{
	bool is_left = false;

	if (worker->thread_left) {
		burst(worker->name, &worker->thread_left, THREAD_BURST);
		is_left = true;
	}
	/*
	 * The interrupt requested by irq_work_queue() may arrive immediately or later. The next
	 * step waits for it here, so that the interrupt and the thread never use hardirq_left at
	 * the same time.
	 */
	irq_work_sync(&worker->hardirq);
	if (worker->hardirq_left) {
		irq_work_queue(&worker->hardirq);
		is_left = true;
	}
	/* Pairs with the smp_store_release() in softirq_burst(). */
	if (smp_load_acquire(&worker->has_softirq)) {
		is_left = true;
	} else if (worker->softirq_left) {
		worker->has_softirq = true;
		call_rcu(&worker->softirq, softirq_burst);
		is_left = true;
	}
	return is_left;
}

static int worker_run(void *data)
{
	struct stress_worker *worker = data;

	while (worker_step(worker)) {
		/* If only softirq calls are left, sleep during the callback's grace period. */
		if (!worker->thread_left && !worker->hardirq_left)
			schedule_timeout_uninterruptible(1);
		cond_resched();
	}
	irq_work_sync(&worker->hardirq);
	complete(&worker->done);
	return 0;
}

static int worker_start(struct stress_worker *worker, const char *name, u64 times,
			unsigned int index)
{
	worker->name = name;
	worker->thread_left = times;
	worker->hardirq_left = times;
	worker->softirq_left = times;
	init_irq_work(&worker->hardirq, hardirq_burst);
	init_completion(&worker->done);
	worker->task = kthread_create(worker_run, worker, "fargs_target/%u", index);
	if (IS_ERR(worker->task))
		return PTR_ERR(worker->task);
	get_task_struct(worker->task);
	wake_up_process(worker->task);
	return 0;
}

static void worker_join(struct stress_worker *worker)
{
	/*
	 * If kthread_stop() were called before the thread has started, the thread would make no
	 * calls.
	 */
	wait_for_completion(&worker->done);
	/* kthread_stop() waits until the thread has left this module's text. */
	kthread_stop(worker->task);
	put_task_struct(worker->task);
}

int target_stress(const char *name, u64 times, unsigned int nr_threads)
{
	struct target_run probe = { .name = name };
	struct stress_worker *workers;
	unsigned int nr_started;
	int err = 0;

	target_walk(&probe);
	if (!probe.nr_found)
		return -ENOENT;
	if (!nr_threads)
		return -EINVAL;
	workers = kcalloc(nr_threads, sizeof(*workers), GFP_KERNEL);
	if (!workers)
		return -ENOMEM;
	for (nr_started = 0; nr_started < nr_threads; nr_started++) {
		err = worker_start(&workers[nr_started], name, times, nr_started);
		if (err)
			break;
	}
	while (nr_started)
		worker_join(&workers[--nr_started]);
	/* Wait for callbacks that have not returned from softirq_burst() yet. */
	rcu_barrier();
	kfree(workers);
	return err;
}
