// SPDX-License-Identifier: GPL-2.0-only
/*
 * One fprobe for all functions. The following was read in 6.12 (fprobe on top of rethook) and
 * 7.2 (on top of the function graph tracer).
 *
 * Context. Both handlers run under ftrace's recursion guard, which disables preemption; the
 * rethook trampoline, or fprobe itself in 7.2, disables it once more. An fprobe is not a
 * kprobe: calls by interrupts that arrive in a handler are not missed.
 *
 * Missed and counted in nmissed. 6.12: a call or a return, made in the same context by
 * functions that a tracer itself calls (a return only if its call was not made so, which
 * nesting excludes; its rethook node would be lost until the task dies); a call for which
 * there is no instance. 7.2: a call for which the task's shadow stack has no room left after
 * its frame was pushed.
 *
 * Missed and counted only by the task, in trace_overrun, which is read at the return of the
 * enclosing call: calls for which the shadow stack (4 KiB) has no room for another frame,
 * some 60 calls deep.
 *
 * Missed and not counted, since 7.2 does not count them: calls where RCU is not watching, and
 * calls made by a tracer itself.
 *
 * Unregistering. 6.12: unregister_fprobe() removes the handler from the rethook, as with
 * kretprobes, then the functions from ftrace, which takes seconds for all functions. Until
 * then every call of any task is counted in nmissed, which is therefore read first
 * (fargs_retprobe_fprobe_unregister()). Then it waits for tasks inside the ops. The
 * trampoline looks up the return handler with preemption disabled, so after a grace period no
 * handler runs, and calls in flight return without it. 7.2: unregister_fprobe() removes the
 * fprobe from a table, in which both handlers look it up with preemption disabled, and waits
 * for RCU.
 *
 * That table identifies an fprobe by its address alone: a call that was in flight when an
 * fprobe was unregistered would find the next one allocated at the same address, and pass its
 * own data to it. So the data contain a cookie that no other registration has. Also, fprobe
 * as a whole must stay registered while calls are in flight: fprobe_anchor.c.
 *
 * Modules. When a module is unloaded, fprobe in 7.2 removes its functions from the filter, but
 * it does not remove functions in init memory that is freed; 6.12 removes neither.
 *
 * Sets that lost functions (7.2). All fprobes share one filter. unregister_fprobe() has
 * ftrace_set_filter_ips() remove, in one call, the functions of the set that no other fprobe
 * has; functions that fprobe's module notifier removed before are among them. That call works
 * on a copy of the filter, and discards the copy at the first address that is not in it, or
 * is no longer a function. So nothing is removed, and the rest of the set stays armed, for no
 * fprobe, until another fprobe with these functions is unregistered, or the last fprobe is,
 * which our anchor prevents. sweep_filter() registers and unregisters such an fprobe:
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
 *   has_lost set afterwards. The same applies to functions that are lost while the rest is
 *   swept: the rest is swept again. If CPU B unregisters the set between the two notifiers,
 *   nothing has been removed yet: then sweep_filter() has nothing to do, and does no harm.
 *   The xchg() pairs with the smp_store_release() in fargs_retprobe_fprobe_forget().
 *
 * - Lifetime: the struct fprobe is used twice, the second time disabled: its handlers are
 *   called neither for new calls nor for calls in flight. It is freed after the second
 *   unregistration has been waited for as well. fargs is not unloaded while there is a
 *   session, and the anchor is unregistered last.
 *
 * - Not removed from the filter: functions in init memory of a module that was being loaded
 *   at START (those of modules loaded later have sets of their own, session/ret.c); and
 *   functions that, after fprobe's notifier has run and before the module is freed, are added,
 *   or are registered by a START that had collected them before. When the set is unregistered,
 *   they are no longer functions of ftrace. Until fargs is unloaded, they cost a hash lookup
 *   that finds nothing.
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
 * EXIT_DEPTH: how often the kernel's tracing code has disabled preemption in a handler.
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
	u64 cookie;		/* unique to this registration */
	u64 nr_missed;		/* nmissed before it was unregistered; valid if is_over */
	u64 nr_counted;		/* missed calls counted so far, under the owner's lock */
	bool is_registered;
	bool is_over;		/* it is being or has been unregistered */
	bool has_lost;		/* functions were lost since it was created or last swept */
	bool must_retry;	/* functions were lost since they were last collected */
};

/* Kept by the kernel from the call to the return. */
struct call_data {
	u64 cookie;
	void *call;
};

/*
 * On the graph tracer's shadow stack tail calls have separate frames: the caller of a
 * function that was jumped to is only known as return_to_handler().
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
 * How many calls of this task found its shadow stack full. The kernel counts functions of all
 * users of the function graph tracer, so only ours if there is no other user. The count wraps,
 * and restarts when the task gets another shadow stack, which has none of our calls on it.
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

	/* An earlier fprobe at this address may have had no data. */
	if (unlikely(!call || call->cookie != ours->cookie))
		return;
	/*
	 * Read trace_overrun first: calls that an interrupt counts between the two reads are then
	 * missing here, and found by the enclosing call. In the other order they would be counted
	 * twice.
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

	/* Random, so that foreign data do not match by chance; counted, so that it is unique. */
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
 * Called after a failed registration, which frees the filter (ftrace_free_filter()), but leaves the
 * ops pointing to it: the next registration would copy freed memory. ftrace has no other reference
 * to ops that have not been registered.
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

/* Stores the functions left in the set in *@ips, to be freed. Returns their number or -ENOMEM. */
static int collect_left(const struct fargs_retprobe_fprobe *ours, unsigned long **ips)
{
	const struct fargs_funchash *hash = ours->hash;
	u32 i, nr = 0;

	*ips = kvmalloc_array(hash->mask + 1, sizeof(**ips), GFP_KERNEL);
	if (!*ips)
		return -ENOMEM;
	for (i = 0; i <= hash->mask; i++) {
		unsigned long ip = READ_ONCE(hash->slots[i].ip);

		if (ip > FARGS_FUNCHASH_GONE)
			(*ips)[nr++] = ip;
	}
	return nr;
}

/*
 * Registers the functions left in the set, and repeats that if it fails because a module was
 * unloaded with some of them: at most once for each function. Does nothing if none is left.
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
	/* Wait for handlers of returns, and for handlers where RCU is not watching. */
	synchronize_rcu();
	synchronize_rcu_tasks_rude();
	return 0;
}

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
/*
 * Removes the functions left in an unregistered set from fprobe's filter, see above. Returns 0,
 * even if there is no memory for that; or -errno if the set is still registered.
 */
static int sweep_filter(struct fargs_retprobe_fprobe *ours)
{
	int ret;

	disable_fprobe(&ours->fprobe);
	ret = register_left(ours);
	if (!ret)
		return unregister_left(ours);
	pr_warn_once("cannot remove functions from fprobe's filter (error %d)\n", ret);
	return 0;
}
#else
/* Nothing to do: each fprobe has its own filter. */
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
	/* More functions may be lost during a sweep: at most one sweep for each function. */
	while (!ret && xchg(&ours->has_lost, false))
		ret = sweep_filter(ours);
	return ret;
}

void fargs_retprobe_fprobe_forget(struct fargs_retprobe_fprobe *ours, unsigned long ip)
{
	fargs_funchash_drop(ours->hash, ip);
	/*
	 * Pair with the xchg() in register_left() and fargs_retprobe_fprobe_unregister(): a CPU
	 * that reads true there finds the function dropped.
	 */
	smp_store_release(&ours->must_retry, true);
	smp_store_release(&ours->has_lost, true);
}

void fargs_retprobe_fprobe_keep(struct fargs_retprobe_fprobe *ours, unsigned long *ips, u32 nr)
{
	/*
	 * The addresses are removed from the filter, or functions loaded there next would
	 * call fprobe. Where fprobe maintains the filter itself, it leaves functions of
	 * init memory in it, and all functions if an allocation fails.
	 */
#ifndef FARGS_HAS_FPROBE_FTRACE_REGS
	/* An empty filter would trace everything. */
	if (!nr) {
		if (unregister_left(ours))
			pr_warn_once("ftrace has disabled itself after an error: reboot\n");
	} else if (ours->is_registered && ftrace_set_filter_ips(&ours->fprobe.ops, ips, nr, 0, 1)) {
		pr_warn_once("cannot remove functions of a module from ftrace's filter\n");
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
	 * If CPU B reads an nmissed that has risen, it reads is_over as true. The smp_rmb() pairs
	 * with the smp_mb() in fargs_retprobe_fprobe_unregister().
	 */
	smp_rmb();
	if (smp_load_acquire(&ours->is_over))
		nr = ours->nr_missed;
	ours->nr_counted = nr;
	/* nmissed restarts at 0 when a set is registered again. */
	return nr > was ? nr - was : 0;
}

#endif
