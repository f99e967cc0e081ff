// SPDX-License-Identifier: GPL-2.0-only
#include "session/add_check.h"

#include <linux/bitmap.h>
#include <linux/kallsyms.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "arch/fentry.h"
#include "base/refusal.h"
#include "compat/ftrace.h"
#include "compat/retprobe.h"
#include "layout/layout.h"
#include "layout/parts.h"
#include "session/session.h"

/*
 * Functions that programs call, or that run when a program faults. If one of these functions had a
 * program, most recorded calls would be our own rather than the kernel's, and each run of a program
 * would cause more of them. Layouts without programs are allowed for these functions, since only
 * programs call them: neither the capture of a call does, nor that of its return.
 *
 * Endless recursion of programs is prevented by guards rather than by this list: those of
 * probe/guard.h and, for return probes, those of ftrace. If a function is missing in this list, or
 * has another name in some kernel, the only consequences are unwanted records and losses, which are
 * counted.
 *
 * The list has names rather than addresses: the kernel exports only a few of these functions, and
 * this module cannot look up the addresses of the others.
 */
static const char *const called_by_programs[] = {
	"glob_match", "__unwind_start", "unwind_next_frame", "unwind_get_return_address",
	"__kernel_text_address", "kernel_text_address", "get_stack_info", "orc_find",
	"unwind_recover_ret_addr", "ftrace_graph_ret_addr", "__module_address",
	"fixup_exception", "search_exception_tables", "search_kernel_exception_table",
	"search_module_extables", "search_extable", "ex_get_fixup_type",
	"do_user_addr_fault", "do_kern_addr_fault", "bad_area_nosemaphore",
	"__bad_area_nosemaphore", "kernelmode_fixup_or_oops",
};

static bool is_called_by_programs(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];
	size_t i;

	sprint_symbol_no_offset(name, addr);
	for (i = 0; i < ARRAY_SIZE(called_by_programs); i++) {
		if (!strcmp(name, called_by_programs[i]))
			return true;
	}
	return false;
}

/* Checks whether the layout's function, which ftrace can trace, may have this layout. */
static int verify_function(const struct fargs_layout *layout)
{
	if (memchr_inv(layout->nr_insns, 0, sizeof(layout->nr_insns)) &&
	    is_called_by_programs(layout->addr))
		return -EPERM;
	return 0;
}

/*
 * All loops over layouts call cond_resched(), with or without session->lock: a batch may have
 * FARGS_LAYOUTS_MAX layouts, and otherwise the loop would delay other tasks of the CPU and RCU
 * grace periods, for which module loading waits. A fatal signal can interrupt only the loops that
 * call ftrace or register probes: they take the most time.
 */

/*
 * Finds the fentry address of each layout's function; rejects functions that ftrace cannot trace.
 */
static int find_ips(struct fargs_add_work *work)
{
	unsigned long *bad, *ips;
	u32 *which, i, nr = 0;
	int ret = -ENOMEM;

	bad = kvcalloc(BITS_TO_LONGS(work->nr), sizeof(*bad), GFP_KERNEL);
	ips = kvmalloc_array(work->nr, sizeof(*ips), GFP_KERNEL);
	which = kvmalloc_array(work->nr, sizeof(*which), GFP_KERNEL);
	if (!bad || !ips || !which)
		goto out;
	for (i = 0; i < work->nr; i++) {
		cond_resched();
		if (!fargs_add_has_addr(fargs_add_layout(work, i)))
			continue;
		work->ips[i] = fargs_fentry_find(fargs_add_layout(work, i)->addr);
		if (!work->ips[i]) {
			fargs_add_layout(work, i)->status = -EINVAL;
			continue;
		}
		ips[nr] = work->ips[i];
		which[nr++] = i;
	}
	ret = fargs_compat_ftrace_test(ips, nr, bad);
	if (ret)
		goto out;
	for (i = 0; i < nr; i++) {
		cond_resched();
		if (test_bit(i, bad))
			fargs_add_layout(work, which[i])->status = -EINVAL;
		else
			fargs_add_layout(work, which[i])->ip = work->ips[which[i]];
		if (!fargs_add_layout(work, which[i])->status)
			fargs_add_layout(work, which[i])->status =
				verify_function(fargs_add_layout(work, which[i]));
	}
out:
	kvfree(bad);
	kvfree(ips);
	kvfree(which);
	return ret;
}

static int compare_order(const void *a, const void *b, const void *priv)
{
	const struct fargs_add_work *work = priv;
	u32 i = *(const u32 *)a, j = *(const u32 *)b;

	cond_resched();
	if (work->ips[i] != work->ips[j])
		return work->ips[i] < work->ips[j] ? -1 : 1;
	return i < j ? -1 : i > j;	/* the first layout for a function is used */
}

static u32 sort_order(struct fargs_add_work *work)
{
	u32 i, nr = 0;

	for (i = 0; i < work->nr; i++) {
		const struct fargs_layout *layout = fargs_add_layout(work, i);

		cond_resched();
		if (!layout->status && fargs_add_has_addr(layout))
			work->order[nr++] = i;
	}
	sort_r(work->order, nr, sizeof(*work->order), compare_order, NULL, work);
	return nr;
}

/*
 * Rejects those of the @nr layouts in work->order whose function already has a layout, in the
 * session or earlier in the batch. Keeps the others in work->order, and counts them in
 * work->nr_added.
 */
static void mark_known(const struct fargs_session *session, struct fargs_add_work *work, u32 nr)
{
	u32 i, have = 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < nr; i++) {
		struct fargs_layout *layout = fargs_add_layout(work, work->order[i]);
		unsigned long ip = work->ips[work->order[i]];

		cond_resched();
		while (have < session->nr_funcs && session->funcs[have].ip < ip)
			have++;
		if ((have < session->nr_funcs && session->funcs[have].ip == ip) ||
		    (work->nr_added && work->ips[work->order[work->nr_added - 1]] == ip)) {
			layout->status = -EEXIST;
			continue;
		}
		work->order[work->nr_added++] = work->order[i];
	}
}

static bool has_return(const struct fargs_layout *layout)
{
	return fargs_layout_path(layout) == FARGS_PATH_RETURN;
}

/* Removes from work->order the layouts whose status has been set. */
static void forget_marked(struct fargs_add_work *work)
{
	u32 i, nr = 0;

	for (i = 0; i < work->nr_added; i++) {
		cond_resched();
		if (!fargs_add_layout(work, work->order[i])->status)
			work->order[nr++] = work->order[i];
	}
	work->nr_added = nr;
}

/*
 * Rejects functions on which the kernel allows no return probe. @nr: number of functions to test.
 */
static int test_returns(struct fargs_add_work *work, u32 nr)
{
	unsigned long *bad = kvcalloc(BITS_TO_LONGS(nr), sizeof(*bad), GFP_KERNEL);
	unsigned long *ips = kvmalloc_array(nr, sizeof(*ips), GFP_KERNEL);
	u32 i, at = 0;
	int ret = -ENOMEM;

	if (!bad || !ips)
		goto out;
	for (i = 0; i < work->nr_added; i++) {
		cond_resched();
		if (has_return(fargs_add_layout(work, work->order[i])))
			ips[at++] = work->ips[work->order[i]];
	}
	ret = fargs_retprobe_test(ips, nr, bad);
	for (i = 0, at = 0; !ret && i < work->nr_added; i++) {
		struct fargs_layout *layout = fargs_add_layout(work, work->order[i]);

		cond_resched();
		if (has_return(layout) && test_bit(at++, bad))
			layout->status = -EOPNOTSUPP;
	}
	forget_marked(work);
out:
	kvfree(bad);
	kvfree(ips);
	return ret;
}

/*
 * Checks that the session would not have more return probes than the kernel supports. Sets *@nr to
 * the number of layouts in work->order that have a return probe.
 */
static int count_returns(const struct fargs_session *session, const struct fargs_add_work *work,
			 u32 *nr, struct fargs_refusal *refusal)
{
	u32 i, nr_deferred = 0, nr_had = 0, most = fargs_retprobe_max();

	lockdep_assert_held(&session->lock);
	*nr = 0;
	for (i = 0; i < work->nr_added; i++) {
		cond_resched();
		*nr += has_return(fargs_add_layout(work, work->order[i]));
	}
	for (i = 0; i < session->nr_funcs; i++) {
		cond_resched();
		nr_had += session->funcs[i].path == FARGS_PATH_RETURN &&
			  !session->funcs[i].is_deferred;
	}
	/* Count deferred layouts as if all of their modules were loaded. */
	nr_had += session->deferred.nr_return;
	/* Layouts with an address are already counted in *@nr. */
	for (i = 0; i < work->deferred.nr; i++) {
		cond_resched();
		nr_deferred += has_return(work->deferred.layouts[i]) &&
			       !work->deferred.layouts[i]->status &&
			       !fargs_add_has_addr(work->deferred.layouts[i]);
	}
	nr_had += nr_deferred;
	if (most && *nr + nr_deferred && *nr + nr_had > most)
		return fargs_refuse(refusal, E2BIG, FARGS_NONE, offsetof(struct fargs_add, nr),
				    "%u functions with a return probe: at most %u on this kernel, which has no fprobe",
				    *nr + nr_had, most);
	return 0;
}

static int refuse_tpoint(const struct fargs_layout *layout, u32 i,
			 struct fargs_refusal *refusal)
{
	const char *module = fargs_layout_symbol(layout)->names;
	u32 field = (const u8 *)module - (const u8 *)layout;
	const char *name = module + strlen(module) + 1;

	if (layout->status == -EEXIST)
		return fargs_refuse(refusal, EEXIST, i, field,
				    "the tracepoint %s of %s has a layout already", name, module);
	if (layout->status == -ESTALE)
		return fargs_refuse(refusal, ESTALE, i, field,
				    "the loaded module %s is not the build that the layout is for",
				    module);
	return fargs_refuse(refusal, ENOENT, i, field, "%s has no tracepoint %s", module, name);
}

static int refuse_unless_skip(const struct fargs_add_work *work, const struct fargs_add *add,
			      struct fargs_refusal *refusal)
{
	u32 i;

	if (add->flags & FARGS_ADD_SKIP)
		return 0;
	for (i = 0; i < work->nr; i++) {
		const struct fargs_layout *layout = fargs_add_layout(work, i);

		cond_resched();
		if (layout->status && fargs_add_is_tpoint(layout))
			return refuse_tpoint(layout, i, refusal);
		if (layout->status == -EEXIST && !fargs_add_has_addr(layout))
			return fargs_refuse(refusal, EEXIST, i, offsetof(struct fargs_layout, addr),
					    "%s has a deferred layout already",
					    fargs_layout_symbol(layout)->names);
		if (layout->status == -EEXIST)
			return fargs_refuse(refusal, EEXIST, i, offsetof(struct fargs_layout, addr),
					    "%ps has a layout already", (void *)layout->addr);
		if (layout->status == -EPERM)
			return fargs_refuse(refusal, EPERM, i, offsetof(struct fargs_layout, addr),
					    "%ps is called by programs: its layout must not have programs, _RETURN, _SCOPE or _TRIGGER",
					    (void *)layout->addr);
		if (layout->status == -EOPNOTSUPP)
			return fargs_refuse(refusal, EOPNOTSUPP, i,
					    offsetof(struct fargs_layout, addr),
					    "the kernel does not allow a return probe on %pS",
					    (void *)layout->addr);
		if (layout->status)
			return fargs_refuse(refusal, EINVAL, i, offsetof(struct fargs_layout, addr),
					    "%pS is not traceable", (void *)layout->addr);
	}
	return 0;
}

void fargs_add_forget(struct fargs_add_work *work, const struct module *mod, bool is_init_only)
{
	u32 i;

	for (i = 0; i < work->nr; i++) {
		const struct fargs_layout *layout = fargs_add_layout(work, i);

		cond_resched();
		if (fargs_add_has_addr(layout) &&
		    (within_module_init(layout->addr, mod) ||
		     (!is_init_only && within_module_core(layout->addr, mod))))
			__set_bit(i, work->gone);
	}
}

int fargs_add_check(struct fargs_session *session, struct fargs_add_work *work,
		    struct fargs_refusal *refusal)
{
	int ret = find_ips(work);
	u32 nr;

	lockdep_assert_held(&session->call_lock);
	if (ret)
		return ret;
	/* Only ADD adds deferred layouts, so call_lock protects them. */
	fargs_deferred_mark(session, &work->deferred);
	nr = sort_order(work);
	mutex_lock(&session->lock);
	mark_known(session, work, nr);
	ret = count_returns(session, work, &nr, refusal);
	mutex_unlock(&session->lock);
	if (ret)
		return ret;
	return nr ? test_returns(work, nr) : 0;
}

/*
 * Rejects layouts whose function is in the session by now: after fargs_add_check(), the function's
 * module was loaded, and the session already had a deferred layout for the function.
 */
static void mark_arrived(const struct fargs_session *session, struct fargs_add_work *work)
{
	u32 i, have = 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < work->nr_added; i++) {
		unsigned long ip = work->ips[work->order[i]];

		cond_resched();
		while (have < session->nr_funcs &&
		       (session->funcs[have].ip < ip ||
			(session->funcs[have].ip == ip && session->funcs[have].is_dropped)))
			have++;
		if (have < session->nr_funcs && session->funcs[have].ip == ip)
			fargs_add_layout(work, work->order[i])->status = -EEXIST;
	}
}

int fargs_add_recheck(const struct fargs_session *session, struct fargs_add_work *work,
		      const struct fargs_add *add, struct fargs_refusal *refusal)
{
	u32 i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < work->nr; i++) {
		cond_resched();
		if (!test_bit(i, work->gone))
			continue;
		fargs_add_layout(work, i)->status = -EINVAL;
		fargs_add_layout(work, i)->ip = 0;
	}
	forget_marked(work);
	mark_arrived(session, work);
	forget_marked(work);
	fargs_tpoints_mark(session, &work->tpoints);
	return refuse_unless_skip(work, add, refusal);
}
