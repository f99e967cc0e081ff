// SPDX-License-Identifier: GPL-2.0-only
/*
 * One fprobe for all functions. Read in 6.12 (on top of rethook) and 7.2 (on top
 * of the function graph tracer):
 *
 * Context. ftrace's recursion guard is taken for both handlers, which disables
 * preemption; the rethook trampoline, or 7.2's fprobe itself, disables it once more.
 * It is no kprobe: calls in interrupts that come into a handler are not missed.
 *
 * Missed, and counted in nmissed. 6.12: a call or a return made by what a tracer
 * itself calls in the same context (a return only if its call was none such, which
 * nesting forbids; its slot would be lost until its task dies), a call for which
 * there is no instance. 7.2: a call for which there is no room on the task's
 * shadow stack after its frame was pushed. Missed and not counted, since 7.2 does
 * not: calls where the shadow stack (4 KiB) has no room for another frame, some
 * 60 calls deep, where RCU is not watching, or made by a tracer itself.
 *
 * The end. 6.12: unregister_fprobe() takes the handler out of the rethook, as with
 * kretprobes, and waits for the tasks in the ops; the return handler is looked for
 * with preemption disabled, so after a grace period no handler runs, and calls still
 * in flight return without. 7.2: it takes the fprobe out of a table in which
 * both handlers look for it with preemption disabled, and waits for RCU.
 *
 * But the table knows a probe by its address alone: a call that was in flight when
 * a probe went would find the next one allocated at the same address, and give it
 * its own data. So the data carry a number that no other registration has. And
 * fprobe as a whole must not go while calls are in flight: fprobe_anchor.c.
 *
 * Modules. 7.2 takes functions of a module that goes out by itself, but not those of init
 * memory that is freed; 6.12 does neither.
 *
 * A set that lost functions (7.2). All fprobes share one filter. unregister_fprobe() has
 * ftrace_set_filter_ips() take out, in one call, what no other fprobe has; those that its module
 * notifier took out before are among them. That call works on a copy of the filter, and
 * throws it away at the first address that is not in there, or is no function any more. So
 * nothing is taken out, and what remained of the set stays armed, for nobody, until
 * another probe of it goes, or the last fprobe does, which our anchor forbids. sweep()
 * is that other probe.
 *
 *	context		process, under session->lock: STOP, close, or a module's notifier in
 *			which the session stops
 *	order		a module's functions leave the set in our GOING notifier, which comes
 *			before fprobe's (modules.c). So those that the set still has are
 *			in fprobe's hands as well, for as long as session->lock is held:
 *			another module that goes at that moment waits for it. If the set
 *			goes between the two notifiers, nothing was taken out yet: then
 *			sweep() finds nothing to do, which does not hurt
 *	who frees	the struct fprobe is used twice, the second time disabled: its handlers are
 *			called neither for new calls nor for those in flight. It is freed
 *			when that, too, was waited for
 *	fargs goes	not while there is a session; the anchor goes last
 *	what stays	in the filter alone: functions of init memory of a module that was
 *			being loaded at START (those of one that comes later have sets of
 *			their own, ret_session.c), and what is added and started after
 *			fprobe's notifier, before the module is gone
 */
#include <linux/atomic.h>
#include <linux/fprobe.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "fprobe_anchor.h"
#include "ftrace.h"
#include "funchash.h"
#include "retprobe_set.h"

#ifdef FARGS_HAS_FPROBE

/* Where struct ftrace_regs comes in, the graph tracer is below. */
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
	u64 cookie;		/* of this registration alone */
	bool is_registered;
	bool has_lost;		/* functions, since it was registered */
};

/* Kept by the kernel from call to return. */
struct call_data {
	u64 cookie;
	void *call;
};

/*
 * On the graph tracer's shadow stack, where tail calls are frames of their own,
 * the caller of a function jumped to is only known as return_to_handler().
 */
static __always_inline unsigned long parent_of(const struct pt_regs *regs)
{
#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
	return *(unsigned long *)regs->sp;
#else
	return fargs_retprobe_parent(regs);
#endif
}

static notrace int entry_handler(struct fprobe *fprobe, unsigned long ip, unsigned long parent_ip,
				 fprobe_regs *fregs, void *data)
{
	const struct fargs_retprobe_fprobe *ours =
		container_of(fprobe, struct fargs_retprobe_fprobe, fprobe);
	const struct pt_regs *regs = to_pt_regs(fregs);
	const struct fargs_template *template;
	struct call_data *call = data;

	if (unlikely(!fargs_funchash_find(ours->hash, ip, &template)))
		return 1;
	call->call = fargs_retprobe_call(ours->owner, ip, parent_of(regs), template, regs,
					 ENTRY_DEPTH);
	if (!call->call)
		return 1;
	call->cookie = ours->cookie;
	return 0;
}

static notrace void exit_handler(struct fprobe *fprobe, unsigned long ip, unsigned long parent_ip,
				 fprobe_regs *fregs, void *data)
{
	const struct fargs_retprobe_fprobe *ours =
		container_of(fprobe, struct fargs_retprobe_fprobe, fprobe);
	const struct call_data *call = data;

	/* An earlier probe at this address need not have had data at all. */
	if (unlikely(!call || call->cookie != ours->cookie))
		return;
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

	/* Data of another's probe cannot be this by chance, nor ours twice. */
	return (u64)get_random_u32() << 32 | (u32)atomic64_inc_return(&last);
}

static void destroy(struct fargs_retprobe_fprobe *ours)
{
	fargs_funchash_destroy(ours->hash);
	kfree(ours);
}

int fargs_retprobe_fprobe_register(struct fargs_retprobe *set,
				   const struct fargs_retprobe_func *funcs, u32 nr, u32 nr_calls)
{
	struct fargs_retprobe_fprobe *ours = kzalloc(sizeof(*ours), GFP_KERNEL_ACCOUNT);
	unsigned long *ips = kvmalloc_array(nr, sizeof(*ips), GFP_KERNEL);
	int ret = -ENOMEM;
	u32 i;

	if (!ours || !ips)
		goto out;
	ours->hash = make_hash(funcs, nr);
	if (!ours->hash)
		goto out;
	for (i = 0; i < nr; i++)
		ips[i] = funcs[i].ip;
	ours->owner = set->owner;
	ours->cookie = new_cookie();
	ours->fprobe.entry_handler = entry_handler;
	ours->fprobe.exit_handler = exit_handler;
	ours->fprobe.entry_data_size = sizeof(struct call_data);
#ifndef FARGS_HAS_FPROBE_FTRACE_REGS
	ours->fprobe.nr_maxactive = nr_calls + fargs_retprobe_spare();
#endif
	ret = fargs_fprobe_anchor_hold();
	if (!ret)
		ret = register_fprobe_ips(&ours->fprobe, ips, nr);
	if (!ret) {
		ours->is_registered = true;
		set->fprobe = ours;
		kvfree(ips);
		return 0;
	}
out:
	kvfree(ips);
	/* ftrace broke while it patched: some functions may call us until reboot. */
	if (ours && ret != -ENODEV)
		destroy(ours);
	return ret;
}

static int unregister(struct fargs_retprobe_fprobe *ours)
{
	int ret;

	if (!ours->is_registered)
		return 0;
	ret = unregister_fprobe(&ours->fprobe);
	if (ret)
		return ret;
	ours->is_registered = false;
	/* For the handlers of returns, and for those where RCU did not watch. */
	synchronize_rcu();
	synchronize_rcu_tasks_rude();
	return 0;
}

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
static u32 collect(const struct fargs_funchash *hash, unsigned long *ips)
{
	u32 i, nr = 0;

	for (i = 0; i <= hash->mask; i++) {
		if (hash->slots[i].ip <= FARGS_FUNCHASH_GONE)
			continue;
		if (ips)
			ips[nr] = hash->slots[i].ip;
		nr++;
	}
	return nr;
}

/*
 * Takes what the set still had out of fprobe's filter, see above. It has been unregistered.
 * 0, also if there is no memory for it; or -errno, and it is still registered.
 */
static int sweep(struct fargs_retprobe_fprobe *ours)
{
	u32 nr = collect(ours->hash, NULL);
	unsigned long *ips;
	int ret = -ENOMEM;

	if (!ours->has_lost || !nr)
		return 0;
	ips = kvmalloc_array(nr, sizeof(*ips), GFP_KERNEL);
	if (ips) {
		collect(ours->hash, ips);
		disable_fprobe(&ours->fprobe);
		ret = register_fprobe_ips(&ours->fprobe, ips, nr);
		kvfree(ips);
	}
	if (ret) {
		pr_warn_once("fargs: functions stay in fprobe's filter (%d)\n", ret);
		return 0;
	}
	ours->is_registered = true;
	return unregister(ours);
}
#else
/* Each has a filter of its own. */
static int sweep(struct fargs_retprobe_fprobe *ours)
{
	return 0;
}
#endif

int fargs_retprobe_fprobe_unregister(struct fargs_retprobe_fprobe *ours, u64 *nr_missed)
{
	int ret = unregister(ours);

	if (ret)
		return ret;
	/* Now: it is set to 0 when a probe is registered. */
	*nr_missed = fargs_retprobe_fprobe_nr_missed(ours);
	ret = sweep(ours);
	if (ret)
		return ret;
	destroy(ours);
	return 0;
}

void fargs_retprobe_fprobe_forget(struct fargs_retprobe_fprobe *ours, unsigned long ip)
{
	fargs_funchash_drop(ours->hash, ip);
	ours->has_lost = true;
}

void fargs_retprobe_fprobe_keep(struct fargs_retprobe_fprobe *ours, unsigned long *ips, u32 nr)
{
	/*
	 * The addresses must leave the filter, or what is loaded there next goes through
	 * fprobe. Where that sees to the filter itself it leaves functions of init memory
	 * in it, and all if it has no memory at that moment.
	 */
#ifndef FARGS_HAS_FPROBE_FTRACE_REGS
	/* An empty filter would trace everything. */
	if (!nr) {
		if (unregister(ours))
			pr_warn_once("fargs: ftrace has broken down; reboot\n");
	} else if (ours->is_registered && ftrace_set_filter_ips(&ours->fprobe.ops, ips, nr, 0, 1)) {
		pr_warn_once("fargs: a module's functions stay in ftrace's filter\n");
	}
#endif
}

u64 fargs_retprobe_fprobe_nr_missed(const struct fargs_retprobe_fprobe *ours)
{
	return READ_ONCE(ours->fprobe.nmissed);
}

#endif
