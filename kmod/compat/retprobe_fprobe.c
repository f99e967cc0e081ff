// SPDX-License-Identifier: GPL-2.0-only
/*
 * One fprobe for all functions. The facts below are from the sources of 6.12 (fprobe on top of
 * rethook) and 7.2 (on top of the function graph tracer).
 *
 * Context. Both handlers run under ftrace's recursion guard, which disables preemption; the
 * rethook trampoline, or in 7.2 fprobe itself, disables it once more. An fprobe is not a
 * kprobe: if an interrupt arrives in a handler, calls made by the interrupt are not missed.
 *
 * Calls missed, and counted in nmissed. 6.12: a call for which there is no instance, and a call or
 * return of a function that a tracer calls in the same context. (A return would be missed, and its
 * rethook node lost until the task exits, if ftrace's recursion guard were held at the return but
 * not at the call. Nesting rules this out.) 7.2: a call for which the task's shadow stack has no
 * room left after its frame was pushed.
 *
 * Calls missed, and counted only in the task's trace_overrun: calls for which the shadow stack
 * (4 KiB, about 60 nested calls) has no room for another frame. trace_overrun is read when the
 * enclosing call returns.
 *
 * Calls missed, and not counted in 7.2: calls where RCU is not watching, and calls made by a
 * tracer itself.
 *
 * Unregistering in 6.12: unregister_fprobe() removes the handler from the rethook, as with
 * kretprobes, then the functions from ftrace, which takes seconds for all functions of the
 * kernel. In between, every call of any task is counted in nmissed, so nmissed is read before
 * that (fargs_retprobe_fprobe_unregister()). Then unregister_fprobe() waits for tasks inside the
 * ops. The trampoline looks up the return handler with preemption disabled, so after a grace
 * period no handler runs, and calls in flight return without one. In 7.2: unregister_fprobe()
 * removes the fprobe from a table, in which both handlers look it up with preemption disabled,
 * and waits for RCU.
 *
 * The table of 7.2 identifies an fprobe only by its address. Suppose that a call is in flight
 * when its fprobe is unregistered, and another fprobe is then allocated at the same address: the
 * return would find the new fprobe, and pass it the data of the old one. So the data contain a
 * cookie that no other registration has. Also, fprobe as a whole must stay registered while
 * calls are in flight (fprobe_anchor.c).
 *
 * Modules. When a module is unloaded, fprobe in 7.2 removes the module's functions from the
 * filter. It does not do this when init memory is freed. fprobe in 6.12 does neither.
 *
 * Sets that lost functions (7.2). All fprobes share one filter. unregister_fprobe() calls
 * ftrace_set_filter_ips() once, to remove the functions of the set that no other fprobe has. The
 * list includes functions that fprobe's module notifier has already removed. The call works on a
 * copy of the filter, and discards the copy at the first address that is not in the filter, or
 * is no longer a function. As a result nothing is removed: the rest of the set remains in the
 * filter although no fprobe uses it, until another fprobe with these functions is unregistered.
 * (Unregistering the last fprobe would also clear the filter, but the anchor is always left.)
 * sweep_filter() therefore registers and unregisters an fprobe with these functions:
 *
 * - Context: process context, under session->call_lock, from STOP, close, or a module's
 *   notifier in which the session stops.
 *
 * - Ordering:
 *
 *	CPU A (unloads a module)		CPU B (unregisters the set)
 *	our GOING notifier:			unregister_fprobe()
 *	  drops the functions			xchg() of has_lost
 *	  smp_store_release() of has_lost
 *	fprobe's GOING notifier:
 *	  removes the functions
 *
 *   Our notifier runs before fprobe's (main/modules.c), and does not wait for CPU B. So if
 *   fprobe's notifier has removed functions before CPU B unregisters the set, CPU B finds
 *   has_lost set afterwards. The same applies to functions that are lost during a sweep: CPU B
 *   sweeps again. If CPU B unregisters the set between the two notifiers, no function has been
 *   removed from the filter yet; sweep_filter() then has nothing to do, and does no harm. The
 *   xchg() pairs with the smp_store_release() in fargs_retprobe_fprobe_forget().
 *
 * - Lifetime: the struct fprobe is registered twice, the second time disabled, so that its
 *   handlers are called neither for new calls nor for calls in flight. It is freed after the
 *   grace periods of the second unregistration. fargs is not unloaded while there is a session,
 *   and the anchor is unregistered last.
 *
 * - Not removed from the filter: functions in init memory of a module that was being loaded
 *   at START (functions of modules loaded later have sets of their own, session/ret.c); and
 *   functions that are registered after fprobe's notifier has run and before the module's
 *   memory is freed, either because they were added in that interval, or because a START had
 *   collected them earlier.
 *   When the set is unregistered, ftrace no longer has these functions. Until fargs is unloaded,
 *   a function loaded at such an address costs a hash lookup that finds nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/fprobe.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "arch/regs.h"
#include "base/funchash.h"
#include "compat/fprobe_anchor.h"
#include "compat/ftrace.h"
#include "compat/retprobe_set.h"

#ifdef FARGS_HAS_FPROBE

/*
 * fprobe passes struct ftrace_regs where it is built on the function graph tracer. ENTRY_DEPTH and
 * EXIT_DEPTH: how often the kernel's tracing code has disabled preemption when it calls a handler.
 */
#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
typedef struct ftrace_regs fprobe_regs;
#define ENTRY_DEPTH	2
#define to_pt_regs(regs)	fargs_compat_regs(regs)
#else
#include <linux/rethook.h>
typedef struct pt_regs fprobe_regs;
#define ENTRY_DEPTH	1
#define to_pt_regs(regs)	(regs)
#endif
#define EXIT_DEPTH	2

struct fargs_retprobe_fprobe {
	struct fprobe fprobe;
	void *owner;
	struct fargs_funchash *hash;
	u64 cookie;		/* different for each struct fargs_retprobe_fprobe */
	u64 nr_missed;		/* fprobe.nmissed before unregister_fprobe(); valid if @is_over */
	u64 nr_counted;		/* missed calls already counted; protected by the owner's lock */
	bool is_registered;
	bool is_over;		/* fargs_retprobe_fprobe_unregister() has begun */
	/* Functions were dropped since the set was created, or since sweep_filter() last began. */
	bool has_lost;
	bool must_retry;	/* functions were dropped since the last collect_left() */
};

/* Data of a call, which fprobe passes from the entry handler to the exit handler. */
struct call_data {
	u64 cookie;
	void *call;
};

/*
 * The graph tracer pushes a separate frame for each tail call. So the return address of a
 * function that was entered by a jump is always return_to_handler().
 */
static __always_inline unsigned long parent_of(const struct pt_regs *regs)
{
#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
	return fargs_arch_return_address(regs);
#else
	return fargs_retprobe_parent(regs);
#endif
}

/*
 * Returns the number of calls made by this task for which its shadow stack had no room. The kernel
 * counts calls for all users of the function graph tracer, so the number can include calls of
 * functions that are not ours. The counter wraps. It is reset when the task gets another shadow
 * stack, on which there are no calls of our functions yet.
 */
static __always_inline u32 count_overruns(void)
{
#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
	return atomic_read(&current->trace_overrun);
#else
	return 0;
#endif
}

static notrace int fargs_fprobe_entry(struct fprobe *fprobe, unsigned long ip,
				      unsigned long parent_ip, fprobe_regs *fregs, void *data)
{
	const struct fargs_retprobe_fprobe *ours =
		container_of(fprobe, struct fargs_retprobe_fprobe, fprobe);
	struct pt_regs *regs = to_pt_regs(fregs);
	struct fargs_template *template;
	struct call_data *call = data;

	if (unlikely(!fargs_funchash_find(ours->hash, ip, &template)))
		return 1;
	call->call = fargs_retprobe_call(ours->owner, ip, parent_of(regs), template, regs,
					 ENTRY_DEPTH);
	if (!call->call)
		return 1;
	call->cookie = ours->cookie;
	((struct fargs_retprobe_own *)call->call)->overruns = count_overruns();
	return 0;
}

static notrace void fargs_fprobe_exit(struct fprobe *fprobe, unsigned long ip,
				      unsigned long parent_ip, fprobe_regs *fregs, void *data)
{
	const struct fargs_retprobe_fprobe *ours =
		container_of(fprobe, struct fargs_retprobe_fprobe, fprobe);
	const struct call_data *call = data;
	s32 more;

	/* @data may be NULL, or may belong to an fprobe that was at this address before. */
	if (unlikely(!call || call->cookie != ours->cookie))
		return;
	/*
	 * Read trace_overrun first. If an interrupt counts overruns between the two reads, the
	 * difference is too low by their number, but the enclosing call will count them. In the
	 * opposite order, the interrupt's overruns would be counted twice.
	 */
	more = count_overruns();
	more -= READ_ONCE(((const struct fargs_retprobe_own *)call->call)->overruns);
	if (unlikely(more > 0))
		fargs_retprobe_too_deep(ours->owner, call->call, more);
	fargs_retprobe_return(ours->owner, call->call, to_pt_regs(fregs), EXIT_DEPTH);
}

static struct fargs_funchash *make_hash(const struct fargs_retprobe_func *funcs, u32 nr)
{
	struct fargs_funchash *hash = fargs_funchash_create(nr);
	u32 i;

	for (i = 0; hash && i < nr; i++)
		fargs_funchash_insert(hash, funcs[i].ip, funcs[i].template);
	return hash;
}

static u64 new_cookie(void)
{
	static atomic64_t last;

	/*
	 * The counter makes our cookies unique. The random half makes it unlikely that data of
	 * an fprobe that is not ours contain one of them.
	 */
	return (u64)get_random_u32() << 32 | (u32)atomic64_inc_return(&last);
}

static void init_fprobe(struct fprobe *fprobe)
{
	fprobe->entry_handler = fargs_fprobe_entry;
	fprobe->exit_handler = fargs_fprobe_exit;
	fprobe->entry_data_size = sizeof(struct call_data);
}

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
/* Nothing to do: the kernel has freed the list of functions, and cleared the pointer to it. */
static void renew_fprobe(struct fprobe *fprobe)
{
}
#else
/*
 * Called after a failed registration: register_fprobe_ips() frees the filter (ftrace_free_filter())
 * but leaves pointers to it in the ops, so that the next registration would copy freed memory.
 * Clearing the ops is safe, since ftrace has no reference to ops that were never registered.
 */
static void renew_fprobe(struct fprobe *fprobe)
{
	int nr_maxactive = fprobe->nr_maxactive;

	memset(fprobe, 0, sizeof(*fprobe));
	init_fprobe(fprobe);
	fprobe->nr_maxactive = nr_maxactive;
}
#endif

struct fargs_retprobe_fprobe *
fargs_retprobe_fprobe_create(void *owner, const struct fargs_retprobe_func *funcs, u32 nr)
{
	struct fargs_retprobe_fprobe *ours = kzalloc(sizeof(*ours), GFP_KERNEL_ACCOUNT);

	if (!ours)
		return NULL;
	ours->hash = make_hash(funcs, nr);
	if (!ours->hash) {
		kfree(ours);
		return NULL;
	}
	ours->owner = owner;
	ours->cookie = new_cookie();
	init_fprobe(&ours->fprobe);
	return ours;
}

void fargs_retprobe_fprobe_destroy(struct fargs_retprobe_fprobe *ours)
{
	if (!ours)
		return;
	fargs_funchash_destroy(ours->hash);
	kfree(ours);
}

/*
 * In 6.12, each instance consists of a struct rethook_node, the function's address, the return
 * address of the call, and our data.
 */
u64 fargs_retprobe_fprobe_bytes(u32 nr, u32 nr_calls)
{
	u64 bytes = sizeof(struct fargs_retprobe_fprobe) + fargs_funchash_bytes(nr) +
		    (u64)nr * FARGS_COMPAT_FTRACE_BYTES;

#ifndef FARGS_HAS_FPROBE_FTRACE_REGS
	bytes += fargs_retprobe_instances_bytes(nr_calls + fargs_retprobe_spare(),
						sizeof(struct rethook_node) + 2 * sizeof(long) +
						sizeof(struct call_data));
#endif
	return bytes;
}

/*
 * Sets *@ips to an array of the functions that were not dropped, to be freed by the caller. Returns
 * the number of these functions, or -ENOMEM.
 */
static int collect_left(const struct fargs_retprobe_fprobe *ours, unsigned long **ips)
{
	const struct fargs_funchash *hash = ours->hash;
	u32 i, nr = 0;

	*ips = kvmalloc_array(hash->nr_slots, sizeof(**ips), GFP_KERNEL);
	if (!*ips)
		return -ENOMEM;
	for (i = 0; i < hash->nr_slots; i++) {
		unsigned long ip = READ_ONCE(hash->slots[i].ip);

		if (ip > FARGS_FUNCHASH_GONE)
			(*ips)[nr++] = ip;
	}
	return nr;
}

/*
 * Registers all functions not dropped from the set. If that fails because a module with some of
 * them was unloaded, retries without them: at most once for each function. Does nothing if no
 * function is left.
 */
static int register_left(struct fargs_retprobe_fprobe *ours)
{
	unsigned long *ips;
	int nr, ret;

	do {
		xchg(&ours->must_retry, false);
		nr = collect_left(ours, &ips);
		if (nr <= 0) {
			kvfree(ips);
			return nr;
		}
		ret = register_fprobe_ips(&ours->fprobe, ips, nr);
		kvfree(ips);
		if (ret && ret != -ENODEV)
			renew_fprobe(&ours->fprobe);
	} while (ret && ret != -ENODEV && xchg(&ours->must_retry, false));
	ours->is_registered = !ret;
	return ret;
}

int fargs_retprobe_fprobe_register(struct fargs_retprobe_fprobe *ours, u32 nr_calls)
{
#ifndef FARGS_HAS_FPROBE_FTRACE_REGS
	ours->fprobe.nr_maxactive = nr_calls + fargs_retprobe_spare();
#endif
	return fargs_fprobe_anchor_hold() ?: register_left(ours);
}

static int unregister_left(struct fargs_retprobe_fprobe *ours)
{
	int ret;

	if (!ours->is_registered)
		return 0;
	ret = unregister_fprobe(&ours->fprobe);
	if (ret)
		return ret;
	ours->is_registered = false;
	/*
	 * synchronize_rcu() waits for exit handlers, synchronize_rcu_tasks_rude() for entry
	 * handlers that run where RCU is not watching.
	 */
	synchronize_rcu();
	synchronize_rcu_tasks_rude();
	return 0;
}

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
/*
 * Removes the remaining functions of an unregistered set from fprobe's filter, as explained at the
 * top, by registering and unregistering them again. Returns 0, even if they cannot be registered
 * (e.g. no memory); or -errno if they cannot be unregistered.
 */
static int sweep_filter(struct fargs_retprobe_fprobe *ours)
{
	int ret;

	disable_fprobe(&ours->fprobe);
	ret = register_left(ours);
	if (!ret)
		return unregister_left(ours);
	pr_warn_once("cannot remove functions of an unregistered fprobe from the filter (error %d)\n",
		     ret);
	return 0;
}
#else
/* Without a filter shared by all fprobes there is nothing to do. */
static int sweep_filter(struct fargs_retprobe_fprobe *ours)
{
	return 0;
}
#endif

int fargs_retprobe_fprobe_unregister(struct fargs_retprobe_fprobe *ours)
{
	int ret;

	if (!ours->is_registered)
		return 0;
	/*
	 * In 6.12, unregister_fprobe() removes the rethook first, and counts every call of any task
	 * as missed until the functions are removed from ftrace, which may take seconds. The
	 * smp_mb() pairs with the smp_rmb() in fargs_retprobe_fprobe_count_missed().
	 */
	ours->nr_missed = READ_ONCE(ours->fprobe.nmissed);
	smp_store_release(&ours->is_over, true);
	smp_mb();
	ret = unregister_left(ours);
	/* Functions may be dropped during a sweep: at most one more sweep for each function. */
	while (!ret && xchg(&ours->has_lost, false))
		ret = sweep_filter(ours);
	return ret;
}

void fargs_retprobe_fprobe_forget(struct fargs_retprobe_fprobe *ours, unsigned long ip)
{
	fargs_funchash_drop(ours->hash, ip);
	/*
	 * Pairs with the xchg() in register_left() and fargs_retprobe_fprobe_unregister(): if a CPU
	 * reads true there, it finds the function dropped.
	 */
	smp_store_release(&ours->must_retry, true);
	smp_store_release(&ours->has_lost, true);
}

void fargs_retprobe_fprobe_keep(struct fargs_retprobe_fprobe *ours, unsigned long *ips, u32 nr)
{
	/*
	 * The addresses must be removed from the filter; otherwise functions that are loaded at
	 * these addresses later would call fprobe. On kernels where fprobe itself removes the
	 * functions of an unloaded module, this function leaves that to fprobe, which does not
	 * remove functions in init memory, and removes none if an allocation fails.
	 */
#ifndef FARGS_HAS_FPROBE_FTRACE_REGS
	/* ftrace interprets an empty filter as all functions. */
	if (!nr) {
		if (unregister_left(ours))
			pr_warn_once("ftrace has disabled itself after an error: reboot\n");
	} else if (ours->is_registered && ftrace_set_filter_ips(&ours->fprobe.ops, ips, nr, 0, 1)) {
		pr_warn_once("cannot remove the freed functions of a module from an fprobe's filter\n");
	}
#endif
}

u64 fargs_retprobe_fprobe_count_missed(struct fargs_retprobe_fprobe *ours)
{
	u64 nr = READ_ONCE(ours->fprobe.nmissed), was = ours->nr_counted;

	/*
	 *	CPU A (unregister)		CPU B (here)
	 *	nr_missed = nmissed		reads nmissed
	 *	is_over = true			smp_rmb()
	 *	smp_mb()			reads is_over
	 *	unregister: nmissed rises
	 *
	 * If CPU B reads an nmissed that unregister_fprobe() has increased, it reads is_over as
	 * true. The smp_rmb() pairs with the smp_mb() in fargs_retprobe_fprobe_unregister().
	 */
	smp_rmb();
	if (smp_load_acquire(&ours->is_over))
		nr = ours->nr_missed;
	ours->nr_counted = nr;
	/* The kernel resets nmissed to 0 when a set is registered again. */
	return nr > was ? nr - was : 0;
}

#endif
