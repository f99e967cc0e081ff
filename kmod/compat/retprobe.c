// SPDX-License-Identifier: GPL-2.0-only
#include "compat/retprobe.h"

#include <linux/slab.h>

#include "compat/fprobe_anchor.h"
#include "compat/retprobe_set.h"

/*
 * Maximum number of functions in a set of kretprobes. The kernel is patched for each kretprobe
 * separately: registering one takes 7 million instructions, and unregistering it takes 6 million
 * (6.1) to 12 million (7.2).
 */
#define KPROBES_MAX	1000

/*
 * Up to this many functions, kretprobes are the better choice even if fprobe is available.
 * fprobe on top of rethook does the same work as kretprobe with less overhead, so there the
 * number is 0. On top of the function graph tracer, an event costs more than with kretprobe:
 * 876 instructions instead of 699 (7.2, for a record of four arguments, return value and
 * duration), all of them executed by the traced task. But registering and unregistering 16
 * kretprobes takes 320 million instructions, a tenth of a second; with fprobe it takes 36
 * million. So 16 kretprobes cost less than fprobe if there are more than 1.6 million events, 8
 * kretprobes if there are more than 0.7 million, and one if there are more than 14 thousand.
 */
#ifdef FARGS_HAS_FPROBE_FTRACE_REGS
#define FEW	16
#else
#define FEW	0
#endif

u32 fargs_retprobe_max(void)
{
#ifdef FARGS_HAS_FPROBE
	return 0;
#else
	return KPROBES_MAX;
#endif
}

int fargs_retprobe_test(const unsigned long *ips, u32 nr, unsigned long *bad)
{
#ifdef FARGS_HAS_FPROBE
	/* fprobe is used if kretprobes fail, and can probe all functions that ftrace can trace. */
	return 0;
#else
	return fargs_retprobe_kprobes_test(ips, nr, bad);
#endif
}

u64 fargs_retprobe_bytes(u32 nr, u32 nr_calls)
{
#ifdef FARGS_HAS_FPROBE
	if (nr > FEW)
		return fargs_retprobe_fprobe_bytes(nr, nr_calls);
#endif
	return fargs_retprobe_kprobes_bytes(nr, nr_calls);
}

static bool is_complete(const struct fargs_retprobe *set)
{
#ifdef FARGS_HAS_FPROBE
	return set->fprobe && (set->kprobes || set->nr > FEW);
#else
	return set->kprobes;
#endif
}

struct fargs_retprobe *fargs_retprobe_create(void *owner, const struct fargs_retprobe_func *funcs,
					     u32 nr)
{
	struct fargs_retprobe *set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);

	if (!set)
		return NULL;
	set->nr = nr;
#ifdef FARGS_HAS_FPROBE
	set->fprobe = fargs_retprobe_fprobe_create(owner, funcs, nr);
	if (nr <= FEW)
		set->kprobes = fargs_retprobe_kprobes_create(owner, funcs, nr);
#else
	set->kprobes = fargs_retprobe_kprobes_create(owner, funcs, nr);
#endif
	if (is_complete(set))
		return set;
	fargs_retprobe_destroy(set);
	return NULL;
}

void fargs_retprobe_destroy(struct fargs_retprobe *set)
{
#ifdef FARGS_HAS_FPROBE
	fargs_retprobe_fprobe_destroy(set->fprobe);
#endif
	fargs_retprobe_kprobes_destroy(set->kprobes);
	kfree(set);
}

int fargs_retprobe_register(struct fargs_retprobe *set, u32 nr_calls, u32 *failed)
{
	*failed = set->nr;
#ifdef FARGS_HAS_FPROBE
	if (set->kprobes && !fargs_retprobe_kprobes_register(set->kprobes, nr_calls, failed))
		return 0;
	*failed = set->nr;
	return fargs_retprobe_fprobe_register(set->fprobe, nr_calls);
#else
	return fargs_retprobe_kprobes_register(set->kprobes, nr_calls, failed);
#endif
}

int fargs_retprobe_unregister(struct fargs_retprobe *set)
{
#ifdef FARGS_HAS_FPROBE
	int ret = fargs_retprobe_fprobe_unregister(set->fprobe);

	if (ret)
		return ret;
#endif
	if (set->kprobes)
		fargs_retprobe_kprobes_unregister(set->kprobes);
	return 0;
}

void fargs_retprobe_forget(struct fargs_retprobe *set, unsigned long ip)
{
#ifdef FARGS_HAS_FPROBE
	fargs_retprobe_fprobe_forget(set->fprobe, ip);
#endif
	if (set->kprobes)
		fargs_retprobe_kprobes_forget(set->kprobes, ip);
}

void fargs_retprobe_keep(struct fargs_retprobe *set, unsigned long *ips, u32 nr)
{
#ifdef FARGS_HAS_FPROBE
	fargs_retprobe_fprobe_keep(set->fprobe, ips, nr);
#endif
}

/*
 * The hooked returns of a task are in its rethook list or on its shadow stack. Only the task itself
 * changes the two, so no lock is needed.
 */
bool fargs_retprobe_is_inside(void)
{
#if defined(FARGS_HAS_FPROBE) && defined(FARGS_HAS_FPROBE_FTRACE_REGS)
	if (current->curr_ret_stack > 0)
		return true;
#endif
	return current->rethooks.first;
}

void fargs_retprobe_deinit(void)
{
	fargs_fprobe_anchor_release();
}

u64 fargs_retprobe_count_missed(struct fargs_retprobe *set)
{
	u64 nr = 0;

#ifdef FARGS_HAS_FPROBE
	nr = fargs_retprobe_fprobe_count_missed(set->fprobe);
#endif
	if (set->kprobes)
		nr += fargs_retprobe_kprobes_count_missed(set->kprobes);
	return nr;
}
