// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens when a module is loaded, and how concurrent operations behave:
 *
 *	COMING		The notifier (main/modules.c) calls fargs_deferred_resolve() with
 *			session->lock held. The module cannot be unloaded before its notifiers
 *			have returned.
 *	ADD		If ADD has not added its deferred layouts to the session yet, they miss
 *			this load of the module, as if the module had been loaded before ADD. User
 *			space handles this case. For layouts with an address see session/add.c.
 *	START		Arms functions that were found before START. Functions that are found while
 *			START is arming (FARGS_PHASE_STARTING) are armed by START before it returns
 *			(session/run.c).
 *	STOP		Leaves FARGS_PHASE_LIVE under session->lock. If the notifier takes the lock
 *			before STOP, the notifier arms the functions and STOP disarms them. If the
 *			notifier takes the lock after STOP, it arms nothing.
 *	GOING		The notifier takes session->lock and drops the functions
 *			(session/modules.c). Their deferred layouts stay, for the next time that
 *			the module is loaded. The LIVE notifier does the same with functions in
 *			init memory.
 *	reader		FARGS_IOC_ARRIVALS takes session->lock. The COMING notifier holds the lock
 *			from before it arms a function until the arrival is in the list. So if user
 *			space finds a record of the function in a ring, and fetches arrivals after
 *			that, it gets the function's arrival.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "session/deferred_resolve.h"

#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "arch/clock.h"
#include "arch/fentry.h"
#include "compat/ftrace.h"
#include "compat/retprobe.h"
#include "session/funcs.h"
#include "session/module_syms.h"
#include "session/probes.h"
#include "session/session.h"
#include "uapi/fargs_layout.h"

/* The deferred layouts of a module that is being loaded, and the function found for each layout. */
struct found {
	const struct fargs_deferred *layouts;
	u32 nr;				/* number of elements of @layouts, @arrivals and @nr_seen */
	struct fargs_arrival *arrivals;
	/*
	 * For the first layout of each function name: the number of functions of that name that
	 * match_symbol() has seen. The elements of other layouts are not used.
	 */
	u32 *nr_seen;
};

/* Finds the module's layouts, which are adjacent since layouts are sorted by module. */
static void find_layouts(struct found *found, const struct fargs_deferreds *deferreds,
			 const char *module)
{
	u32 low = 0, high = deferreds->nr, end;

	/* There may be layouts for all functions of all modules: find the first by bisection. */
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (strcmp(deferreds->layouts[mid].symbol->names, module) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (end = low; end < deferreds->nr; end++) {
		if (strcmp(deferreds->layouts[end].symbol->names, module))
			break;
	}
	found->layouts = deferreds->layouts + low;
	found->nr = end - low;
}

/*
 * Called for each function of the module. If the function has a deferred layout, stores its address
 * in the layout's struct fargs_arrival.
 */
static void match_symbol(void *arg, const char *name, unsigned long addr)
{
	struct found *found = arg;
	u32 i, low = 0, high = found->nr, index;

	/* Find the first layout whose name is not less than @name. */
	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (strcmp(found->layouts[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == found->nr || strcmp(found->layouts[low].name, name))
		return;
	index = found->nr_seen[low]++;
	for (i = low; i < found->nr && !strcmp(found->layouts[i].name, name); i++) {
		u32 wanted = found->layouts[i].symbol->index;

		if (wanted == FARGS_SYMBOL_UNIQUE && index) {
			found->arrivals[i].status = -ENOTUNIQ;
		} else if (wanted == FARGS_SYMBOL_UNIQUE || wanted == index) {
			found->arrivals[i].addr = addr;
			found->arrivals[i].status = 0;
		}
	}
}

/*
 * Rejects layouts that are for another build of the module. Most often all layouts have the same
 * build ID, so the last result is reused.
 */
static void check_builds(struct found *found, const struct module *mod)
{
	const struct fargs_symbol *last = NULL;
	bool has_it = true;
	u32 i;

	for (i = 0; i < found->nr; i++) {
		const struct fargs_symbol *symbol = found->layouts[i].symbol;

		if (!symbol->build_id_len)
			continue;
		if (!last || last->build_id_len != symbol->build_id_len ||
		    memcmp(last->build_id, symbol->build_id, symbol->build_id_len))
			has_it = fargs_module_has_build_id(mod, symbol->build_id,
							   symbol->build_id_len);
		last = symbol;
		if (!has_it)
			found->arrivals[i].status = -ESTALE;
	}
}

static int by_ip(const void *a, const void *b)
{
	const struct fargs_session_func *x = a, *y = b;

	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

/* If several layouts name the same function, rejects all but the first. @which is sorted by ip. */
static void mark_aliases(struct found *found, u32 *which, u32 nr)
{
	u32 i, j;

	for (i = 0; i < nr; i++) {
		struct fargs_arrival *one = &found->arrivals[which[i]];

		for (j = i; j-- && !one->status && found->arrivals[which[j]].ip == one->ip;)
			if (!found->arrivals[which[j]].status)
				one->status = -EEXIST;
	}
}

static int compare_which(const void *a, const void *b, const void *priv)
{
	const struct found *found = priv;
	u32 i = *(const u32 *)a, j = *(const u32 *)b;

	if (found->arrivals[i].ip != found->arrivals[j].ip)
		return found->arrivals[i].ip < found->arrivals[j].ip ? -1 : 1;
	return i < j ? -1 : i > j;
}

/*
 * Rejects functions in @which that ftrace or, with @is_return, the kernel's return probes do not
 * accept. This test works in a COMING notifier, since ftrace enables the module's records before
 * the COMING notifiers run.
 */
static int test_functions(struct found *found, const u32 *which, u32 nr, bool is_return)
{
	unsigned long *bad = kvcalloc(BITS_TO_LONGS(nr), sizeof(*bad), GFP_KERNEL);
	unsigned long *ips = kvmalloc_array(nr, sizeof(*ips), GFP_KERNEL);
	u32 i, nr_ips = 0;
	int ret = -ENOMEM;

	if (!bad || !ips)
		goto out;
	for (i = 0; i < nr; i++) {
		if (!is_return || (!found->arrivals[which[i]].status &&
				   found->layouts[which[i]].path == FARGS_PATH_RETURN))
			ips[nr_ips++] = found->arrivals[which[i]].ip;
	}
	if (!nr_ips)
		ret = 0;
	else
		ret = is_return ? fargs_retprobe_test(ips, nr_ips, bad)
				: fargs_compat_ftrace_test(ips, nr_ips, bad);
	for (i = 0, nr_ips = 0; !ret && i < nr; i++) {
		struct fargs_arrival *arrival = &found->arrivals[which[i]];

		if (!is_return) {
			if (test_bit(i, bad))
				arrival->status = -EINVAL;
		} else if (!arrival->status &&
			   found->layouts[which[i]].path == FARGS_PATH_RETURN) {
			if (test_bit(nr_ips++, bad))
				arrival->status = -EOPNOTSUPP;
		}
	}
out:
	kvfree(bad);
	kvfree(ips);
	return ret;
}

/*
 * Finds the fentry addresses of the functions in @found; rejects functions that cannot be traced.
 */
static int find_ips(struct found *found)
{
	u32 *which = kvmalloc_array(found->nr, sizeof(*which), GFP_KERNEL);
	u32 i, nr = 0;
	int ret = 0;

	if (!which)
		return -ENOMEM;
	for (i = 0; i < found->nr; i++) {
		struct fargs_arrival *arrival = &found->arrivals[i];

		if (arrival->status)
			continue;
		arrival->ip = fargs_fentry_find(arrival->addr);
		if (arrival->ip)
			which[nr++] = i;
		else
			arrival->status = -EINVAL;
	}
	if (nr) {
		sort_r(which, nr, sizeof(*which), compare_which, NULL, found);
		ret = test_functions(found, which, nr, false);
	}
	if (nr && !ret) {
		mark_aliases(found, which, nr);
		ret = test_functions(found, which, nr, true);
	}
	kvfree(which);
	return ret;
}

/*
 * Does the session still have the function that the layout was last used for? This is the case only
 * if ADD was given an address and a symbol that do not belong together: the function is then in
 * another module.
 */
static bool is_layout_used(const struct fargs_session *session, const struct fargs_deferred *layout)
{
	const struct fargs_session_func *func = fargs_funcs_find(session, layout->ip);

	return func && func->template == layout->template;
}

/*
 * Rejects functions that an ADD has added by address since the module became COMING. Also ensures
 * that each layout has at most one function, so that the limits of ADD and START hold.
 */
static void mark_known(const struct fargs_session *session, struct found *found)
{
	u32 i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < found->nr; i++) {
		struct fargs_arrival *arrival = &found->arrivals[i];

		if (!arrival->status && (fargs_funcs_find(session, arrival->ip) ||
					 is_layout_used(session, &found->layouts[i])))
			arrival->status = -EEXIST;
	}
}

/*
 * Replaces session->funcs by a copy that includes the functions in @found, and omits dropped
 * functions that have a deferred layout.
 */
static int insert_arrived(struct fargs_session *session, const struct found *found)
{
	u32 i, nr = 0, nr_dropped = 0;
	struct fargs_session_func *funcs;

	lockdep_assert_held(&session->lock);
	funcs = __vmalloc(array_size(session->nr_funcs + found->nr, sizeof(*funcs)),
			  GFP_KERNEL_ACCOUNT);
	if (!funcs)
		return -ENOMEM;
	for (i = 0; i < session->nr_funcs; i++) {
		if (session->funcs[i].is_dropped && session->funcs[i].is_deferred)
			continue;
		nr_dropped += session->funcs[i].is_dropped;
		funcs[nr++] = session->funcs[i];
	}
	for (i = 0; i < found->nr; i++) {
		if (found->arrivals[i].status)
			continue;
		funcs[nr++] = (struct fargs_session_func){
			.ip = found->arrivals[i].ip,
			.template = found->layouts[i].template,
			.path = found->layouts[i].path,
			.is_deferred = true,
			.is_new = true,
		};
	}
	sort(funcs, nr, sizeof(*funcs), by_ip, NULL);
	vfree(session->funcs);
	session->funcs = funcs;
	session->nr_funcs = nr;
	session->nr_dropped = nr_dropped;
	return 0;
}

static bool is_return_path(enum fargs_path path)
{
	return path == FARGS_PATH_RETURN;
}

/*
 * Drops the new functions of @mod after they could not be armed: with @is_return, those with a
 * return probe; otherwise, the others. New functions of other modules, which may exist while START
 * is arming, are not dropped. If arming a path has failed, ftrace's filters may already have
 * functions of another path. They are removed here, since the GOING notifier ignores dropped
 * functions; otherwise functions that are loaded at the same addresses later would be traced.
 * Return probes need no such cleanup, since fargs_ret_extend() unregisters them on failure.
 */
static void fail_arrived(struct fargs_session *session, struct found *found,
			 const struct module *mod, bool is_return, int status)
{
	u32 i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < found->nr; i++) {
		if (!found->arrivals[i].status &&
		    is_return_path(found->layouts[i].path) == is_return)
			found->arrivals[i].status = status;
	}
	for (i = 0; i < session->nr_funcs; i++) {
		struct fargs_session_func *func = &session->funcs[i];

		if (!func->is_new || func->is_dropped || !within_module(func->ip, mod) ||
		    is_return_path(func->path) != is_return)
			continue;
		func->is_dropped = true;
		func->is_new = false;
		session->nr_dropped++;
		fargs_probes_forget(session, func->ip);
	}
	if (!is_return)
		fargs_probes_refilter(session);
}

/*
 * Arms the new functions or, if START is arming, leaves them to START. Return probes can be
 * registered in a COMING notifier: kprobes, fprobe and the function graph tracer accept functions
 * of a module that is COMING, and the kernel's kprobe events register their kprobes in such a
 * notifier.
 */
static void trace_arrived(struct fargs_session *session, struct found *found,
			  const struct module *mod)
{
	u32 i;
	int ret;

	lockdep_assert_held(&session->lock);
	if (session->phase == FARGS_PHASE_STARTING) {
		ret = fargs_ret_expect(session, mod);
		if (ret)
			fail_arrived(session, found, mod, true, ret);
		return;
	}
	if (session->phase == FARGS_PHASE_LIVE && !session->is_stuck) {
		ret = fargs_probes_extend(session);
		if (ret)
			fail_arrived(session, found, mod, false, ret);
		ret = session->is_stuck ? -EIO : fargs_ret_extend(session, mod);
		if (ret)
			fail_arrived(session, found, mod, true, ret);
	}
	for (i = 0; i < session->nr_funcs; i++)
		session->funcs[i].is_new = false;
}

/* Sets the status of a function's arrival to @status, since the function could not be armed. */
static void amend_arrival(struct fargs_arrival_list *list, unsigned long ip, int status)
{
	u32 i = list->nr;

	while (i--) {
		struct fargs_arrival *arrival = &list->arrivals[i];

		if (arrival->ip != ip || arrival->status)
			continue;
		arrival->status = status;
		arrival->addr = 0;
		arrival->ip = 0;
		return;
	}
}

/*
 * Drops new functions that could not be armed, most likely because their module is being unloaded.
 */
static void drop_new(struct fargs_session *session, bool is_return, int status)
{
	u32 i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		struct fargs_session_func *func = &session->funcs[i];

		if (!func->is_new || func->is_dropped || is_return_path(func->path) != is_return ||
		    (is_return && fargs_ret_is_armed(func)))
			continue;
		amend_arrival(&session->deferred.arrivals, func->ip, status);
		func->is_dropped = true;
		func->is_new = false;
		session->nr_dropped++;
		fargs_probes_forget(session, func->ip);
	}
}

int fargs_deferred_catch_up(struct fargs_session *session)
{
	u32 i;
	int ret;

	lockdep_assert_held(&session->lock);
	ret = fargs_probes_extend(session);
	if (ret)
		drop_new(session, false, ret);
	if (session->is_stuck)
		return -EIO;
	ret = fargs_ret_arm_modules(session);
	if (ret)
		drop_new(session, true, ret);
	if (session->is_stuck)
		return -EIO;
	for (i = 0; i < session->nr_funcs; i++)
		session->funcs[i].is_new = false;
	return 0;
}

/* Stores each layout's last arrival, by which statistics identify the layout (session/stats.c). */
static void note_arrivals(struct fargs_deferreds *deferreds, const struct found *found)
{
	struct fargs_deferred *layouts = deferreds->layouts + (found->layouts - deferreds->layouts);
	u32 i;

	for (i = 0; i < found->nr; i++) {
		if (found->arrivals[i].status)
			continue;
		layouts[i].ip = found->arrivals[i].ip;
		layouts[i].from_tsc = found->arrivals[i].tsc;
	}
}

static void resolve_layouts(struct fargs_session *session, struct found *found,
			    const struct module *mod)
{
	u64 tsc = fargs_arch_clock_ordered();
	u32 i;
	int ret;

	for (i = 0; i < found->nr; i++)
		found->arrivals[i] = (struct fargs_arrival){
			.tsc = tsc, .layout = found->layouts[i].number, .status = -ENOENT,
		};
	fargs_module_syms_each(mod, match_symbol, found);
	check_builds(found, mod);
	ret = find_ips(found);
	if (!ret) {
		mark_known(session, found);
		ret = insert_arrived(session, found);
	}
	for (i = 0; ret && i < found->nr; i++) {
		if (!found->arrivals[i].status)
			found->arrivals[i].status = ret;
	}
	if (!ret)
		trace_arrived(session, found, mod);
	note_arrivals(&session->deferred, found);
	for (i = 0; i < found->nr; i++) {
		if (!found->arrivals[i].status)
			continue;
		found->arrivals[i].addr = 0;
		found->arrivals[i].ip = 0;
	}
}

void fargs_deferred_resolve(struct fargs_session *session, const struct module *mod)
{
	struct fargs_deferreds *deferreds = &session->deferred;
	struct found found;

	lockdep_assert_held(&session->lock);
	find_layouts(&found, deferreds, mod->name);
	if (!found.nr)
		return;
	found.nr_seen = kvcalloc(found.nr, sizeof(*found.nr_seen), GFP_KERNEL);
	found.arrivals = fargs_arrival_list_room(&deferreds->arrivals, found.nr);
	if (found.nr_seen && found.arrivals) {
		resolve_layouts(session, &found, mod);
		fargs_arrival_list_append(&deferreds->arrivals, found.nr);
	} else {
		/* Trace no function: user space needs an arrival for each traced function. */
		pr_warn("no memory to trace the functions of module '%s'\n", mod->name);
	}
	kvfree(found.nr_seen);
}
