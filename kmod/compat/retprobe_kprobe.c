// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kretprobe for each function. The facts below are from the sources of 6.1, 6.12 and 7.2.
 *
 * Context. The probed address is an ftrace site, so entry handlers run from ftrace, under its
 * recursion guard and with preemption disabled. Return handlers run from the rethook
 * trampoline, with preemption disabled. Both mark the CPU as running a kprobe.
 *
 * Calls missed and counted. In kp.nmissed: a call while the CPU runs a kprobe, that is, a
 * call made by an interrupt that arrived in a handler of any kprobe. In nmissed: a call for
 * which there is no instance, or where RCU is not watching.
 *
 * Calls missed and not counted: a call made in the same context by functions that kprobes or
 * another tracer call (ftrace's recursion guard). If a call was not missed, its return is not
 * missed.
 *
 * Unregistering. The kprobes are disabled first, since unregister_kretprobes() does not
 * report errors (kprobe_disable()). unregister_kretprobes() removes the handler from the
 * rethook, then waits for RCU. The trampoline looks up the handler with preemption disabled, so
 * calls in flight return without a handler, no matter how late they return. The kernel frees each
 * instance when its call returns, and the rethook after the last instance. If a task exits inside
 * the function, its instances are released when the task is freed (rethook_flush_task()).
 *
 * Modules. When a module is unloaded, the kernel disarms the module's probes permanently
 * before the text is freed (kill_kprobe()); they are unregistered with the rest of the set.
 * register_kretprobe() takes a reference to the module while it patches the module. A module
 * may be unloaded before its functions are registered, and another module may be loaded at
 * the same addresses. fargs_retprobe_kprobes_forget() is called before the other module is
 * loaded: so even if a probe is registered at such an address, no call of the new function is
 * reported.
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

#include "compat/ftrace.h"
#include "compat/retprobe_set.h"

/* How often the kernel's tracing code has disabled preemption when it calls a handler. */
#define DEPTH		1

/* Approximate limit on the memory for all instances of a set. */
#define INSTANCES_BYTES	(64ul << 20)

struct probe {
	struct kretprobe rp;
	void *owner;
	unsigned long ip;
	struct fargs_template *template;
	bool is_unloaded;		/* the function's module was unloaded */
	u64 nr_counted;		/* missed calls (rp.nmissed + rp.kp.nmissed) already counted */
};

struct fargs_retprobe_kprobes {
	u32 nr_probes;
	u32 nr;				/* number of registered probes */
	struct kretprobe **rps;		/* @nr_probes elements; the first @nr are registered */
	struct probe probes[];
};

static notrace int fargs_kretprobe_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct probe *probe = container_of(get_kretprobe(instance), struct probe, rp);
	void *call;

	if (unlikely(READ_ONCE(probe->is_unloaded)))
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
			WRITE_ONCE(kprobes->probes[i].is_unloaded, true);
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

/*
 * Disables a kprobe, so that unregister_kretprobes() cannot fail. To disarm a kprobe, ftrace
 * allocates memory. If unregister_kretprobes() has to disarm a kprobe and ftrace gets no memory,
 * the kernel frees the rethook nevertheless, but leaves the kprobe in its table, where it is no
 * longer found by its address. The set would then be freed while the table refers to it.
 *
 * If disable_kprobe() fails, the kprobe is still registered, and has its rethook. It is not
 * disarmed again, since the kernel has already counted it as disarmed. It is marked as disabled,
 * which is all that unregister_kretprobes() needs to remove it from the table. The function stays
 * in the filter of the kernel's kprobes, where its calls cost a lookup that finds nothing.
 *
 * The flags are protected by the kernel's kprobe_mutex, which is not exported. Nobody else enables
 * or disables our kprobes; only kill_kprobe() may change the flags at the same time, when the
 * function's module is unloaded. If its KPROBE_FLAG_GONE is lost, the kernel still finds the kprobe
 * disabled: it neither runs the handler nor disarms the kprobe.
 */
static void kprobe_disable(struct kprobe *kp)
{
	if (disable_kprobe(kp))
		kp->flags |= KPROBE_FLAG_DISABLED;
}

void fargs_retprobe_kprobes_unregister(struct fargs_retprobe_kprobes *kprobes)
{
	u32 i;

	if (!kprobes->nr)
		return;
	for (i = 0; i < kprobes->nr; i++)
		kprobe_disable(&kprobes->rps[i]->kp);
	unregister_kretprobes(kprobes->rps, kprobes->nr);
	/*
	 * unregister_kretprobes() has waited for RCU. Also wait for calls where RCU is not
	 * watching: the kernel rejects them, but may be about to count a missed call in the probe.
	 */
	synchronize_rcu_tasks_rude();
}

/* Size of a kretprobe instance, including our data: a pointer to the call's data. */
#define INSTANCE_BYTES	(sizeof(struct kretprobe_instance) + sizeof(void *))

/*
 * Up to @nr_calls calls may wait in the same function, but memory does not allow that many
 * instances for each of a thousand functions. In newer kernels each CPU has an array of pointers to
 * all instances of a function, hence num_possible_cpus().
 */
static u32 instances_each(u32 nr, u32 nr_calls)
{
	unsigned long bytes = INSTANCE_BYTES + sizeof(void *) * num_possible_cpus();
	unsigned long most = INSTANCES_BYTES / bytes / nr;

	return max_t(unsigned long, min_t(unsigned long, nr_calls, most), 1) +
	       fargs_retprobe_spare();
}

u64 fargs_retprobe_kprobes_bytes(u32 nr, u32 nr_calls)
{
	struct fargs_retprobe_kprobes *kprobes;
	u64 bytes = struct_size(kprobes, probes, nr) + (u64)nr * sizeof(*kprobes->rps);

	/* The kprobes use ftrace, whose filter has an entry for each function. */
	bytes += (u64)nr * FARGS_COMPAT_FTRACE_BYTES;
	if (!nr)
		return bytes;
	return bytes + nr * fargs_retprobe_instances_bytes(instances_each(nr, nr_calls),
							   INSTANCE_BYTES);
}

/*
 * Registers a kretprobe. register_kretprobe() of 7.2 succeeds even if ftrace had no memory to arm
 * the kprobe, but then removes the kprobe from its table: no call would be recorded, and none
 * counted as missed. enable_kprobe() does nothing for a kprobe that is armed. It fails for a
 * kprobe that is not in the table, or whose module is being unloaded; the latter is reported as
 * -ENOENT, as by register_kretprobe(). In both cases there is nothing to disarm, so unregistering
 * cannot fail.
 *
 * Not noticed: if all other kprobes of the function are disabled, the kernel ignores the error.
 */
static int register_probe(struct probe *probe, u32 maxactive)
{
	int ret;

	if (fatal_signal_pending(current))
		return -EINTR;
	probe->rp.kp.addr = (kprobe_opcode_t *)probe->ip;
	probe->rp.entry_handler = fargs_kretprobe_entry;
	probe->rp.handler = fargs_kretprobe_return;
	probe->rp.data_size = sizeof(void *);
	probe->rp.maxactive = maxactive;
	ret = register_kretprobe(&probe->rp);
	if (ret || !enable_kprobe(&probe->rp.kp))
		return ret;
	ret = kprobe_gone(&probe->rp.kp) ? -ENOENT : -ENOMEM;
	unregister_kretprobe(&probe->rp);
	return ret;
}

/*
 * Did register_kretprobe() fail because the function's module is being or has been unloaded? If so,
 * the function is skipped; a function that is loaded at its address later is not part of the set.
 * register_kretprobe() returns -ENOENT for a module in state GOING (even before any notifier has
 * run), for init memory that is about to be freed, and for an address without a symbol. Such an
 * address does not become valid again.
 */
static bool is_probe_going(const struct probe *probe, int ret)
{
	return ret != -EINTR && (ret == -ENOENT || READ_ONCE(probe->is_unloaded));
}

int fargs_retprobe_kprobes_register(struct fargs_retprobe_kprobes *kprobes, u32 nr_calls,
				    u32 *failed)
{
	u32 i, maxactive = instances_each(kprobes->nr_probes, nr_calls);
	int ret = 0;

	for (i = 0; i < kprobes->nr_probes; i++) {
		struct probe *probe = &kprobes->probes[i];

		if (READ_ONCE(probe->is_unloaded))
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

/*
 * Registers disabled probes: the kernel makes all its checks, but patches no code. Returns 0, or
 * -ENOMEM, which does not mean that the kernel refuses a probe on the function.
 */
static int test_batch(struct fargs_retprobe_kprobes *kprobes, const unsigned long *ips,
		      u32 first, u32 nr, unsigned long *bad)
{
	int ret = 0;
	u32 i;

	kprobes->nr = 0;
	for (i = 0; i < nr; i++) {
		struct kretprobe *rp = kprobes->rps[kprobes->nr];

		memset(rp, 0, sizeof(*rp));
		rp->kp.addr = (kprobe_opcode_t *)ips[first + i];
		rp->kp.flags = KPROBE_FLAG_DISABLED;
		rp->handler = fargs_kretprobe_return;
		rp->maxactive = 1;
		ret = register_kretprobe(rp);
		if (ret == -ENOMEM)
			break;
		if (ret)
			__set_bit(first + i, bad);
		else
			kprobes->nr++;
		ret = 0;
		cond_resched();
	}
	unregister_kretprobes(kprobes->rps, kprobes->nr);
	return ret;
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
		ret = test_batch(kprobes, ips, first, min(nr - first, TEST_BATCH), bad);
		if (!ret && fatal_signal_pending(current))
			ret = -EINTR;
	}
	fargs_retprobe_kprobes_destroy(kprobes);
	return ret;
}
