// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kretprobe for each function. Read in 6.1, 6.12 and 7.2:
 *
 * Context. The probed address is ftrace's, so kprobes come through ftrace, with
 * its recursion guard and preemption disabled; the return comes through the rethook
 * trampoline, with preemption disabled. Both mark the CPU as running a kprobe.
 *
 * Missed, and counted: a call while the CPU runs a kprobe, that is one made in
 * an interrupt that came into a handler of any kprobe (kp.nmissed); a call for which
 * there is no instance, or RCU is not watching (nmissed). Missed and not counted,
 * since the kernel does not: a call by what kprobes or another tracer themselves
 * call, in the same context (ftrace's guard). A return is never missed by
 * itself.
 *
 * The end. unregister_kretprobes() takes the handler out of the rethook, then waits
 * for RCU: since the trampoline looks for the handler with preemption disabled,
 * calls still in flight return without it, however late. Their instances, and the
 * rethook, are freed by the kernel when they return. A task that dies inside
 * the function gives its instances back when it is freed (rethook_flush_task()).
 *
 * Modules. In a module that goes the kernel disarms the probes for good before the
 * text is gone (kill_kprobe()); they are unregistered with the others. register
 * itself holds the module while it writes there. One may go before register comes to its
 * functions, and another one be there instead: forget is called first, so that whatever
 * is registered at such an address, or not, has no call.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "compat/retprobe_set.h"

/* What both handlers have added to the preempt count. */
#define DEPTH		1

/* Memory for the instances of a set, about. */
#define INSTANCES_BYTES	(64ul << 20)

struct probe {
	struct kretprobe rp;
	void *owner;
	unsigned long ip;
	struct fargs_template *template;
	bool is_gone;		/* its module is */
	u64 nr_counted;		/* of what rp and rp.kp have missed */
};

struct fargs_retprobe_kprobes {
	u32 nr_probes;
	u32 nr;				/* registered */
	struct kretprobe **rps;		/* of all probes, as unregister wants them */
	struct probe probes[];
};

static notrace int fargs_kretprobe_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct probe *probe = container_of(get_kretprobe(instance), struct probe, rp);
	void *call;

	if (unlikely(READ_ONCE(probe->is_gone)))
		return 1;
	call = fargs_retprobe_call(probe->owner, probe->ip, fargs_retprobe_parent(regs),
				   probe->template, regs, DEPTH);
	*(void **)instance->data = call;
	return !call;
}

static notrace int fargs_kretprobe_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct probe *probe = container_of(get_kretprobe(instance), struct probe, rp);

	fargs_retprobe_return(probe->owner, *(void **)instance->data, regs, DEPTH);
	return 0;
}

void fargs_retprobe_kprobes_destroy(struct fargs_retprobe_kprobes *kprobes)
{
	if (kprobes)
		kvfree(kprobes->rps);
	kvfree(kprobes);
}

static struct fargs_retprobe_kprobes *kprobes_create(u32 nr)
{
	struct fargs_retprobe_kprobes *kprobes;
	u32 i;

	kprobes = kvzalloc(struct_size(kprobes, probes, nr), GFP_KERNEL_ACCOUNT);
	if (!kprobes)
		return NULL;
	kprobes->rps = kvmalloc_array(nr, sizeof(*kprobes->rps), GFP_KERNEL_ACCOUNT);
	if (!kprobes->rps) {
		fargs_retprobe_kprobes_destroy(kprobes);
		return NULL;
	}
	kprobes->nr_probes = nr;
	for (i = 0; i < nr; i++)
		kprobes->rps[i] = &kprobes->probes[i].rp;
	return kprobes;
}

struct fargs_retprobe_kprobes *
fargs_retprobe_kprobes_create(void *owner, const struct fargs_retprobe_func *funcs, u32 nr)
{
	struct fargs_retprobe_kprobes *kprobes = kprobes_create(nr);
	u32 i;

	for (i = 0; kprobes && i < nr; i++) {
		struct probe *probe = &kprobes->probes[i];

		probe->owner = owner;
		probe->ip = funcs[i].ip;
		probe->template = funcs[i].template;
	}
	return kprobes;
}

void fargs_retprobe_kprobes_forget(struct fargs_retprobe_kprobes *kprobes, unsigned long ip)
{
	u32 i;

	for (i = 0; i < kprobes->nr_probes; i++) {
		if (kprobes->probes[i].ip == ip)
			WRITE_ONCE(kprobes->probes[i].is_gone, true);
	}
}

static u64 count_probe(struct probe *probe)
{
	u64 nr = (u64)READ_ONCE(probe->rp.nmissed) + READ_ONCE(probe->rp.kp.nmissed);
	u64 more = nr - probe->nr_counted;

	probe->nr_counted = nr;
	if (more)
		fargs_retprobe_missed(probe->template, more);
	return more;
}

u64 fargs_retprobe_kprobes_count_missed(struct fargs_retprobe_kprobes *kprobes)
{
	u32 i, nr_registered = READ_ONCE(kprobes->nr);
	u64 nr = 0;

	for (i = 0; i < nr_registered; i++)
		nr += count_probe(container_of(kprobes->rps[i], struct probe, rp));
	return nr;
}

void fargs_retprobe_kprobes_unregister(struct fargs_retprobe_kprobes *kprobes)
{
	if (!kprobes->nr)
		return;
	unregister_kretprobes(kprobes->rps, kprobes->nr);
	/*
	 * That waited for RCU; this also waits for a handler in a place where RCU did
	 * not watch, which has been refused, but may still be about to count it in the probe.
	 */
	synchronize_rcu_tasks_rude();
}

/*
 * Any function may be the one in which all calls of the set wait; but a thousand
 * functions cannot each have instances for all of them. Newer kernels have a table
 * for all instances on each CPU.
 */
static u32 instances_each(u32 nr, u32 nr_calls)
{
	unsigned long bytes = sizeof(struct kretprobe_instance) + sizeof(void *) +
			      sizeof(void *) * num_possible_cpus();
	unsigned long most = INSTANCES_BYTES / bytes / nr;

	return max_t(unsigned long, min_t(unsigned long, nr_calls, most), 1) +
	       fargs_retprobe_spare();
}

static int register_probe(struct probe *probe, u32 maxactive)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	probe->rp.kp.addr = (kprobe_opcode_t *)probe->ip;
	probe->rp.entry_handler = fargs_kretprobe_entry;
	probe->rp.handler = fargs_kretprobe_return;
	probe->rp.data_size = sizeof(void *);
	probe->rp.maxactive = maxactive;
	return register_kretprobe(&probe->rp);
}

/*
 * It failed because the function goes, or has gone, with its module: then it is left out, and
 * what is there next is not its. ENOENT is what register says of a module that is GOING (also
 * before any notifier), of init memory that is about to be freed, and of an address without a
 * symbol, none of which comes back to life.
 */
static bool is_probe_going(const struct probe *probe, int ret)
{
	return ret != -EINTR && (ret == -ENOENT || READ_ONCE(probe->is_gone));
}

int fargs_retprobe_kprobes_register(struct fargs_retprobe_kprobes *kprobes, u32 nr_calls,
				    u32 *failed)
{
	u32 i, maxactive = instances_each(kprobes->nr_probes, nr_calls);
	int ret = 0;

	for (i = 0; i < kprobes->nr_probes; i++) {
		struct probe *probe = &kprobes->probes[i];

		if (READ_ONCE(probe->is_gone))
			continue;
		ret = register_probe(probe, maxactive);
		if (!ret) {
			kprobes->rps[kprobes->nr] = &probe->rp;
			WRITE_ONCE(kprobes->nr, kprobes->nr + 1);
		} else if (!is_probe_going(probe, ret)) {
			break;
		}
		ret = 0;
		cond_resched();
	}
	if (!ret)
		return 0;
	if (ret != -EINTR && ret != -ENOMEM)
		*failed = i;
	fargs_retprobe_kprobes_unregister(kprobes);
	kprobes->nr = 0;
	return ret;
}

/* Registers them disabled: everything is asked, and nothing is patched. */
static void test_arena(struct fargs_retprobe_kprobes *kprobes, const unsigned long *ips,
		       u32 first, u32 nr, unsigned long *bad)
{
	u32 i;

	kprobes->nr = 0;
	for (i = 0; i < nr; i++) {
		struct kretprobe *rp = kprobes->rps[kprobes->nr];

		memset(rp, 0, sizeof(*rp));
		rp->kp.addr = (kprobe_opcode_t *)ips[first + i];
		rp->kp.flags = KPROBE_FLAG_DISABLED;
		rp->handler = fargs_kretprobe_return;
		rp->maxactive = 1;
		if (register_kretprobe(rp))
			__set_bit(first + i, bad);
		else
			kprobes->nr++;
		cond_resched();
	}
	unregister_kretprobes(kprobes->rps, kprobes->nr);
}

#define TEST_BATCH	256u

int fargs_retprobe_kprobes_test(const unsigned long *ips, u32 nr, unsigned long *bad)
{
	struct fargs_retprobe_kprobes *kprobes = kprobes_create(TEST_BATCH);
	u32 first;
	int ret = 0;

	if (!kprobes)
		return -ENOMEM;
	for (first = 0; !ret && first < nr; first += TEST_BATCH) {
		test_arena(kprobes, ips, first, min(nr - first, TEST_BATCH), bad);
		if (fatal_signal_pending(current))
			ret = -EINTR;
	}
	fargs_retprobe_kprobes_destroy(kprobes);
	return ret;
}
