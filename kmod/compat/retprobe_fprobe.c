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
 * shadow stack after its frame was pushed. Missed, and counted by the task alone
 * (trace_overrun), from where we take it at the return of the call around: calls where
 * the shadow stack (4 KiB) has no room for another frame, some 60 calls deep. Missed and
 * not counted, since 7.2 does not: calls where RCU is not watching, or made by a tracer
 * itself.
 *
 * The end. 6.12: unregister_fprobe() takes the handler out of the rethook, as with
 * kretprobes, then the functions out of ftrace, which takes seconds for all of them: every
 * call until then, of any task, is counted in nmissed, which is therefore read before
 * (retprobe.c). Then it waits for the tasks in the ops; the return handler is looked for
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
 * another probe of it goes, or the last fprobe does, which our anchor forbids. sweep_filter()
 * is that other probe.
 *
 *	context		process, under session->call_lock: STOP, close, or a module's notifier
 *			in which the session stops
 *	order		a module's functions leave the set in our GOING notifier, which comes
 *			before fprobe's (main/modules.c) and does not wait for us. So if fprobe
 *			has taken out functions before the set was unregistered, has_lost is
 *			set by then, and is looked at afterwards; the same for those that go
 *			while the rest is swept, which is swept again. If the set goes
 *			between the two notifiers, nothing was taken out yet: then sweep_filter()
 *			finds nothing to do, which does not hurt
 *	who frees	the struct fprobe is used twice, the second time disabled: its handlers are
 *			called neither for new calls nor for those in flight. It is freed
 *			when that, too, was waited for
 *	fargs goes	not while there is a session; the anchor goes last
 *	what stays	in the filter alone: functions of init memory of a module that was
 *			being loaded at START (those of one that comes later have sets of
 *			their own, session/ret.c); and what is added, or registered by a
 *			START that had collected it before, after fprobe's notifier, before the
 *			module is gone: when the set goes, ftrace does not know it any more.
 *			It costs a look into the hash, which finds nothing, until fargs is
 *			unloaded
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
	u64 nr_missed;		/* once is_over */
	u64 nr_counted;		/* of those, under the lock of whoever owns the set */
	bool is_registered;
	bool is_over;		/* it was unregistered */
	bool has_lost;		/* functions, since it was made or last swept */
	bool must_retry;	/* the same, since they were last collected */
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
	return fargs_arch_return_address(regs);
#else
	return fargs_retprobe_parent(regs);
#endif
}

/*
 * How many calls of this task found its shadow stack full: of any function that any user of
 * the function graph tracer has, so none but ours as long as there is no other. It wraps,
 * and begins anew when the task gets another stack, which has none of our calls on it.
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

	/* An earlier probe at this address need not have had data at all. */
	if (unlikely(!call || call->cookie != ours->cookie))
		return;
	/*
	 * In this order: what an interrupt counts in between then is missing here, and found by
	 * the call around; in the other it would be counted twice.
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

	/* Data of another's probe cannot be this by chance, nor ours twice. */
	return (u64)get_random_u32() << 32 | (u32)atomic64_inc_return(&last);
}

static void init_fprobe(struct fprobe *fprobe)
{
	fprobe->entry_handler = fargs_fprobe_entry;
	fprobe->exit_handler = fargs_fprobe_exit;
	fprobe->entry_data_size = sizeof(struct call_data);
}

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
/* As the kernel left it: it has freed the list of its functions, and forgotten that. */
static void renew_fprobe(struct fprobe *fprobe)
{
}
#else
/*
 * After a failed registration, which frees the filter (ftrace_free_filter()), but leaves the ops
 * pointing to it: the next one would copy what was freed. ftrace has no other reference to
 * what has not been registered.
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

/* The functions that it has now: *@ips, to be freed, and their number; or -ENOMEM. */
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
 * Registers what it has now, anew as long as that fails since a module went with some of it:
 * at most once for each function. Without functions it does nothing.
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
	/* For the handlers of returns, and for those where RCU did not watch. */
	synchronize_rcu();
	synchronize_rcu_tasks_rude();
	return 0;
}

#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
/*
 * Takes what the set still had out of fprobe's filter, see above. It has been unregistered.
 * 0, also if there is no memory for it; or -errno, and it is still registered.
 */
static int sweep_filter(struct fargs_retprobe_fprobe *ours)
{
	int ret;

	disable_fprobe(&ours->fprobe);
	ret = register_left(ours);
	if (!ret)
		return unregister_left(ours);
	pr_warn_once("functions stay in fprobe's filter (%d)\n", ret);
	return 0;
}
#else
/* Each has a filter of its own. */
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
	 * 6.12's fprobe takes the rethook away first, and counts every call of any task as missed
	 * until ftrace has let go of the functions, which may take seconds. The barrier pairs with
	 * the one in fargs_retprobe_fprobe_count_missed().
	 */
	ours->nr_missed = READ_ONCE(ours->fprobe.nmissed);
	smp_store_release(&ours->is_over, true);
	smp_mb();
	ret = unregister_left(ours);
	/* More may be lost while what is left is swept: at most once for each function. */
	while (!ret && xchg(&ours->has_lost, false))
		ret = sweep_filter(ours);
	return ret;
}

void fargs_retprobe_fprobe_forget(struct fargs_retprobe_fprobe *ours, unsigned long ip)
{
	fargs_funchash_drop(ours->hash, ip);
	/* Pair with the xchg: who finds them set finds the function gone. */
	smp_store_release(&ours->must_retry, true);
	smp_store_release(&ours->has_lost, true);
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
		if (unregister_left(ours))
			pr_warn_once("ftrace has broken down; reboot\n");
	} else if (ours->is_registered && ftrace_set_filter_ips(&ours->fprobe.ops, ips, nr, 0, 1)) {
		pr_warn_once("a module's functions stay in ftrace's filter\n");
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
	 * Whoever sees it rise sees is_over as well.
	 */
	smp_rmb();
	if (smp_load_acquire(&ours->is_over))
		nr = ours->nr_missed;
	ours->nr_counted = nr;
	/* It begins at 0 again when a set is registered once more. */
	return nr > was ? nr - was : 0;
}

#endif
