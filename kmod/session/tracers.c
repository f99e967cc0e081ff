// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks: tracers_lock is held while ftrace is called, and for each change of the list of probes and
 * of active[]. tables_lock nests in it, and protects tables[], the hashes of probes, and what
 * fargs_tracers_forget() changes: a module notifier that drops functions waits for a walk of the
 * hashes at most, and not for ftrace. Both nest in session->lock; no code takes session->lock while
 * it holds one of the two.
 *
 * Tables: tables[path] maps the functions that the tracer of the path traces to templates. While
 * one session is alone, it is the hash of the session's probe. When a second session starts, a
 * union of all hashes replaces it, in which each function has the template of the only session that
 * traces it, or a struct fargs_several. The union remains until the last session has stopped:
 * functions are only dropped from it, or get the template of the only session that is left, which
 * needs no memory. So a session can always stop.
 *
 * A function stays in the tracer in which it was first traced, even if that is not the one of its
 * path in all sessions, so that no call is lost or recorded twice when a session starts or stops:
 * a callback sees the slot of a function before or after the change, and either leads to one record
 * in each session that goes on.
 *
 * Callbacks and waits:
 *
 *	CPU A (here)				CPU B (e.g. fargs_entry_plain())
 *	fills the table				READ_ONCE(tracer->hash)
 *	smp_store_release(&tracer->hash)	reads the table
 *
 * The release pairs with the address dependency between the two reads of CPU B. A table contains a
 * function before ftrace calls a callback for it.
 *
 * When an ops is unregistered, ftrace does not wait for callbacks on every kernel. It calls
 * synchronize_rcu_tasks_rude(), but that does nothing where all code that runs while RCU is not
 * watching is noinstr (7.2 on x86). It also calls synchronize_rcu_tasks(), but some series do so
 * only if the kernel can preempt tasks in a trampoline (CONFIG_PREEMPTION). And it does not wait
 * when a filter changes. So wait_for_callbacks() does, before anything is freed that callbacks use.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "session/tracers.h"

#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "base/funchash.h"
#include "base/refusal.h"
#include "session/unions.h"

#define NR_PATHS	FARGS_CAPTURE_PROBES

static_assert(FARGS_PATH_PLAIN == 0 && FARGS_PATH_FETCH == 1);

/* The callbacks of each path; @scoped for a session with a scope that is alone. */
static const struct {
	ftrace_func_t func, scoped;
} callbacks[NR_PATHS] = {
	[FARGS_PATH_PLAIN] = { fargs_entry_plain, fargs_scope_entry_plain },
	[FARGS_PATH_FETCH] = { fargs_entry_fetch, fargs_scope_entry_fetch },
};

static DEFINE_MUTEX(tracers_lock);
static DEFINE_MUTEX(tables_lock);
static struct fargs_tracer *active[NR_PATHS];	/* whose ops is registered; NULL: none */
static struct fargs_funchash *tables[NR_PATHS];	/* NULL: no function is traced */
/* Memory of each struct fargs_several in @tables; NULL: @tables are no unions. */
static void *severals;
static LIST_HEAD(probes);	/* of sessions that are traced */
/* ftrace's filter may have functions that the table has not. Protected by tables_lock. */
static bool is_stale[NR_PATHS];
static bool is_broken;		/* ftrace broke, and may still call callbacks */
static u64 nr_forgotten;	/* number of calls of fargs_tracers_forget() */

/*
 * Waits for callbacks that may use what is no longer reachable. They run with preemption disabled:
 * synchronize_rcu() waits for those that run while RCU is watching, synchronize_rcu_tasks_rude()
 * for the others. Neither waits for a CPU that goes offline
 * (Documentation/decisions/which-limits-are-shared-with-ftrace-and-bpf.md).
 */
static void wait_for_callbacks(void)
{
	synchronize_rcu_tasks_rude();
	synchronize_rcu();
}

void fargs_tracers_init_probes(struct fargs_capture *capture)
{
	size_t i;

	for (i = 0; i < NR_PATHS; i++) {
		struct fargs_probe *probe = &capture->probes[i];

		probe->path = i;
		probe->capture = capture;
		INIT_LIST_HEAD(&probe->node);
	}
}

int fargs_tracers_prepare(struct fargs_probe *probe)
{
	struct fargs_tracer *tracer;

	if (probe->prepared)
		return 0;
	tracer = kzalloc(sizeof(*tracer), GFP_KERNEL_ACCOUNT);
	if (!tracer)
		return -ENOMEM;
	/* Without this flag, kernel.ftrace_enabled=0 would silently stop tracing. */
	tracer->ops.flags = FTRACE_OPS_FL_PERMANENT;
	mutex_lock(&tables_lock);
	probe->prepared = tracer;
	mutex_unlock(&tables_lock);
	return 0;
}

/*
 * Filters are not freed at STOP: up to 6.12 ftrace_free_filter() leaves a dangling filter, and a
 * later registration would fail.
 */
void fargs_tracers_destroy(struct fargs_tracer *tracer)
{
	if (tracer)
		ftrace_free_filter(&tracer->ops);
	kfree(tracer);
}

int fargs_tracers_filter(struct fargs_tracer *tracer, unsigned long *ips, u32 nr, bool is_whole)
{
	int ret;

	if (!nr)
		return -ENOENT;
	ret = ftrace_set_filter_ips(&tracer->ops, ips, nr, 0, is_whole);
	if (!ret)
		tracer->has_filter = true;
	return ret;
}

static u32 count_functions(const struct fargs_funchash *hash)
{
	return hash ? hash->nr : 0;
}

/* Returns whether only probes of one session are in the list, and no table is a union. */
static bool is_alone(void)
{
	const struct fargs_capture *capture = NULL;
	const struct fargs_probe *probe;

	lockdep_assert_held(&tracers_lock);
	list_for_each_entry(probe, &probes, node) {
		if (capture && probe->capture != capture)
			return false;
		capture = probe->capture;
	}
	return !severals;
}

/*
 * Makes the tables from the hashes of all probes in the list, and lets callbacks use them. @old:
 * the unions that they replace, to be freed after a wait. On failure, the tables are unchanged.
 */
static int remake_tables(struct fargs_unions *old)
{
	struct fargs_unions fresh = { };
	bool is_single = is_alone();
	struct fargs_probe *probe;
	int ret = 0;
	size_t i;

	lockdep_assert_held(&tables_lock);
	*old = (struct fargs_unions){ };
	if (is_single) {
		list_for_each_entry(probe, &probes, node)
			fresh.hash[probe->path] = probe->hash;
	} else {
		ret = fargs_unions_make(&fresh, &probes, tables);
	}
	if (ret)
		return ret;
	for (i = 0; i < NR_PATHS; i++) {
		if (severals)
			old->hash[i] = tables[i];
		tables[i] = fresh.hash[i];
		if (!active[i])
			continue;
		smp_store_release(&active[i]->hash, tables[i]);
		/* Pairs with the barrier in is_in_scope(). */
		smp_wmb();
		if (!is_single)
			WRITE_ONCE(active[i]->scope, NULL);
	}
	old->severals = severals;
	severals = fresh.severals;
	return 0;
}

/* Sets *@ips to the functions of table @path, to be freed by kvfree(), and *@nr to their number. */
static int collect_functions(size_t path, unsigned long **ips, u32 *nr)
{
	struct fargs_funchash_slot *slot = NULL;
	u32 room, i = 0;

	*ips = NULL;
	*nr = 0;
	mutex_lock(&tables_lock);
	room = count_functions(tables[path]);
	if (room)
		*ips = kvmalloc_array(room, sizeof(**ips), GFP_KERNEL);
	while (*ips && (slot = fargs_funchash_next(tables[path], slot)))
		(*ips)[i++] = slot->ip;
	mutex_unlock(&tables_lock);
	*nr = i;
	return room && !*ips ? -ENOMEM : 0;
}

static int refuse_filter(int ret, struct fargs_refusal *refusal)
{
	if (ret == -ENODEV)
		return ret;
	return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
			    "ftrace rejects a function (error %d): its module may have been unloaded meanwhile",
			    ret);
}

/*
 * Replaces the filter of the tracer of @path by all functions of the table. Functions are not added
 * one by one to a filter, since older kernels (6.1, 6.12) add those that it has already once more.
 * A module may be unloaded at the same time. If ftrace then refuses the functions, this is repeated
 * without those of the module; each repetition has fewer functions. If ftrace accepts the functions
 * of the module, the session removes them afterwards (fargs_tracers_refilter()). Returns 0 or
 * -errno; 1 if there is no function.
 */
static int set_filter(struct fargs_tracer *tracer, size_t path)
{
	unsigned long *ips;
	bool is_exact;
	u64 before;
	int ret;
	u32 nr;

	lockdep_assert_held(&tracers_lock);
	do {
		before = READ_ONCE(nr_forgotten);
		ret = collect_functions(path, &ips, &nr);
		if (ret || !nr) {
			kvfree(ips);
			return ret ?: 1;
		}
		ret = fargs_tracers_filter(tracer, ips, nr, true);
		kvfree(ips);
		mutex_lock(&tables_lock);
		is_exact = !ret && before == nr_forgotten;
		tracer->nr_filtered = is_exact && !severals ? nr : FARGS_FILTER_UNKNOWN;
		is_stale[path] &= !is_exact;
		mutex_unlock(&tables_lock);
	} while (ret && ret != -ENODEV && READ_ONCE(nr_forgotten) != before);
	if (ret == -ENODEV)
		is_broken = true;
	return ret;
}

/* Registers a tracer whose hash and filter have been set. */
static int register_tracer(struct fargs_tracer *tracer, struct fargs_refusal *refusal)
{
	int ret;

	/* With an empty filter, ftrace would trace every function. */
	if (!tracer->has_filter)
		return fargs_refuse(refusal, ENOENT, FARGS_NONE, FARGS_NONE,
				    "there is no function to trace");
	ret = register_ftrace_function(&tracer->ops);
	if (ret == -ENODEV) {
		/*
		 * ftrace accepted the filter, but failed while it was patching: some functions may
		 * call the callback until reboot, so nothing is freed.
		 */
		is_broken = true;
		return ret;
	}
	if (ret)
		return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE, ret == -EBUSY ?
				    "ftrace is disabled: set sysctl kernel.ftrace_enabled=1" :
				    "ftrace rejects the callback (error %d)", ret);
	return 0;
}

/* Makes the prepared tracer of a probe the module's, for all functions of its table. */
static int activate_tracer(struct fargs_probe *probe, u32 nr, struct fargs_refusal *refusal)
{
	struct fargs_tracer *tracer;
	size_t path = probe->path;
	bool is_filtered, is_scoped = is_alone() && probe->capture->scope;
	int ret = fargs_tracers_prepare(probe);

	lockdep_assert_held(&tracers_lock);
	if (ret)
		return ret;
	tracer = probe->prepared;
	mutex_lock(&tables_lock);
	is_filtered = !severals && tracer->nr_filtered == nr;
	mutex_unlock(&tables_lock);
	ret = is_filtered ? 0 : set_filter(tracer, path);
	if (ret < 0)
		return refuse_filter(ret, refusal);
	/* If notifiers have dropped all functions of the path, no ops is registered. */
	if (ret)
		return 0;
	tracer->ops.func = is_scoped ? callbacks[path].scoped : callbacks[path].func;
	tracer->scope = is_scoped ? probe->capture->scope : NULL;
	smp_store_release(&tracer->hash, tables[path]);
	ret = register_tracer(tracer, refusal);
	if (ret && !is_broken)
		return ret;
	mutex_lock(&tables_lock);
	active[path] = tracer;
	probe->prepared = NULL;
	mutex_unlock(&tables_lock);
	return ret;
}

/* Has ftrace call the callbacks for all functions of a session whose probes are in the list. */
static int trace_all(struct fargs_capture *capture, struct fargs_refusal *refusal)
{
	int ret = 0;
	size_t i;

	lockdep_assert_held(&tracers_lock);
	for (i = 0; !ret && i < NR_PATHS; i++) {
		u32 nr;

		mutex_lock(&tables_lock);
		nr = count_functions(tables[i]);
		mutex_unlock(&tables_lock);
		if (active[i]) {
			ret = set_filter(active[i], i);
			ret = ret < 0 ? refuse_filter(ret, refusal) : 0;
		} else if (nr) {
			ret = activate_tracer(&capture->probes[i], nr, refusal);
		}
	}
	return ret;
}

int fargs_tracers_start(struct fargs_capture *capture, struct fargs_refusal *refusal)
{
	struct fargs_unions old = { };
	int ret = mutex_lock_killable(&tracers_lock);
	size_t i;

	if (ret)
		return ret;
	if (is_broken)
		ret = -ENODEV;
	mutex_lock(&tables_lock);
	for (i = 0; !ret && i < NR_PATHS; i++) {
		if (capture->probes[i].hash)
			list_add_tail(&capture->probes[i].node, &probes);
	}
	ret = ret ?: remake_tables(&old);
	/* The list and the tables always have the same sessions. */
	for (i = 0; ret && i < NR_PATHS; i++)
		list_del_init(&capture->probes[i].node);
	mutex_unlock(&tables_lock);
	ret = ret ?: trace_all(capture, refusal);
	mutex_unlock(&tracers_lock);
	if (old.severals) {
		wait_for_callbacks();
		fargs_unions_free(&old);
	}
	return ret;
}

int fargs_tracers_extend(struct fargs_capture *capture, struct fargs_funchash *hashes[NR_PATHS])
{
	struct fargs_unions old = { };
	bool was_listed[NR_PATHS];
	struct fargs_refusal refusal;
	int ret;
	size_t i;

	fargs_refusal_init(&refusal);
	mutex_lock(&tracers_lock);
	mutex_lock(&tables_lock);
	for (i = 0; i < NR_PATHS; i++) {
		struct fargs_probe *probe = &capture->probes[i];

		was_listed[i] = !list_empty(&probe->node);
		if (!hashes[i])
			continue;
		swap(probe->hash, hashes[i]);
		if (!was_listed[i])
			list_add_tail(&probe->node, &probes);
	}
	ret = is_broken ? -ENODEV : remake_tables(&old);
	/* The tables, which are unchanged, may be the hashes from before. */
	for (i = 0; ret && i < NR_PATHS; i++) {
		if (!hashes[i] && was_listed[i])
			continue;
		swap(capture->probes[i].hash, hashes[i]);
		if (!was_listed[i])
			list_del_init(&capture->probes[i].node);
	}
	mutex_unlock(&tables_lock);
	ret = ret ?: trace_all(capture, &refusal);
	mutex_unlock(&tracers_lock);
	wait_for_callbacks();
	fargs_unions_free(&old);
	for (i = 0; i < NR_PATHS; i++)
		fargs_funchash_destroy(hashes[i]);
	return ret;
}

/* Adapts unions after a function has lost one of its probes. */
static void settle_function(unsigned long ip)
{
	size_t i;

	lockdep_assert_held(&tables_lock);
	for (i = 0; severals && i < NR_PATHS; i++)
		is_stale[i] |= fargs_unions_settle(tables[i], &probes, i, ip);
}

void fargs_tracers_forget(struct fargs_capture *capture, unsigned long ip)
{
	size_t i;

	mutex_lock(&tables_lock);
	for (i = 0; i < NR_PATHS; i++) {
		struct fargs_probe *probe = &capture->probes[i];

		if (probe->hash)
			fargs_funchash_drop(probe->hash, ip);
		if (probe->prepared)
			probe->prepared->nr_filtered = FARGS_FILTER_UNKNOWN;
		if (active[i])
			active[i]->nr_filtered = FARGS_FILTER_UNKNOWN;
		is_stale[i] = true;
	}
	settle_function(ip);
	WRITE_ONCE(nr_forgotten, nr_forgotten + 1);
	mutex_unlock(&tables_lock);
}

/*
 * Unregisters a tracer. Since its ops is not part of the core kernel, ftrace waits until no task is
 * in the trampoline of the ops. The session @capture keeps the tracer for its next START, unless it
 * has one: then *@spare is set, to be freed after a wait. Fails if ftrace has disabled itself after
 * a bug.
 */
static int deactivate_tracer(size_t path, struct fargs_capture *capture,
			     struct fargs_tracer **spare)
{
	struct fargs_probe *probe = &capture->probes[path];

	lockdep_assert_held(&tracers_lock);
	if (unregister_ftrace_function(&active[path]->ops)) {
		is_broken = true;
		return -ENODEV;
	}
	mutex_lock(&tables_lock);
	if (severals)
		active[path]->nr_filtered = FARGS_FILTER_UNKNOWN;
	if (!probe->prepared)
		probe->prepared = active[path];
	else
		*spare = active[path];
	active[path] = NULL;
	mutex_unlock(&tables_lock);
	return 0;
}

/* Removes from ftrace's filter what the table of @path no longer has. */
static int shrink_filter(size_t path, struct fargs_capture *capture, struct fargs_tracer **spare)
{
	bool is_shrunk;
	u32 nr;

	lockdep_assert_held(&tracers_lock);
	mutex_lock(&tables_lock);
	nr = list_empty(&probes) ? 0 : count_functions(tables[path]);
	is_shrunk = is_stale[path];
	mutex_unlock(&tables_lock);
	/* With an empty filter, ftrace would trace every function. */
	if (!nr)
		return deactivate_tracer(path, capture, spare);
	if (is_shrunk && set_filter(active[path], path) < 0 && !is_broken)
		pr_warn_once("cannot remove functions from ftrace's filter; their calls are not recorded\n");
	return is_broken ? -ENODEV : 0;
}

static int shrink_filters(struct fargs_capture *capture, struct fargs_tracer **spares)
{
	int ret = is_broken ? -ENODEV : 0;
	size_t i = NR_PATHS;

	while (!ret && i--) {
		if (active[i])
			ret = shrink_filter(i, capture, &spares[i]);
	}
	return ret;
}

static void free_spares(struct fargs_tracer **spares)
{
	size_t i;

	for (i = 0; i < NR_PATHS; i++)
		fargs_tracers_destroy(spares[i]);
}

int fargs_tracers_refilter(struct fargs_capture *capture)
{
	struct fargs_tracer *spares[NR_PATHS] = { };
	int ret;

	mutex_lock(&tracers_lock);
	ret = shrink_filters(capture, spares);
	mutex_unlock(&tracers_lock);
	/* Also for a tracer that the session keeps, and may free without a further wait. */
	wait_for_callbacks();
	free_spares(spares);
	return ret;
}

/* Removes the probes of a session from the list, and its functions from the unions. */
static void unlink_all(struct fargs_capture *capture)
{
	struct fargs_funchash_slot *slot;
	size_t i;

	lockdep_assert_held(&tables_lock);
	for (i = 0; i < NR_PATHS; i++)
		list_del_init(&capture->probes[i].node);
	for (i = 0; severals && i < NR_PATHS; i++) {
		struct fargs_funchash *own = capture->probes[i].hash;

		for (slot = NULL; own && (slot = fargs_funchash_next(own, slot));)
			settle_function(slot->ip);
	}
}

/* Once no session is left, forgets all tables. @old: the unions, to be freed after a wait. */
static void drop_tables(struct fargs_unions *old)
{
	size_t i;

	lockdep_assert_held(&tables_lock);
	if (!list_empty(&probes))
		return;
	for (i = 0; i < NR_PATHS; i++) {
		if (severals)
			old->hash[i] = tables[i];
		tables[i] = NULL;
	}
	old->severals = severals;
	severals = NULL;
}

/* Makes callbacks forget a session whose probes are in the list. */
static int leave_tracers(struct fargs_capture *capture)
{
	struct fargs_tracer *spares[NR_PATHS] = { };
	struct fargs_unions old = { };
	int ret;

	mutex_lock(&tracers_lock);
	mutex_lock(&tables_lock);
	unlink_all(capture);
	mutex_unlock(&tables_lock);
	ret = shrink_filters(capture, spares);
	if (!ret) {
		mutex_lock(&tables_lock);
		drop_tables(&old);
		mutex_unlock(&tables_lock);
	}
	mutex_unlock(&tracers_lock);
	if (ret)
		return ret;
	wait_for_callbacks();
	fargs_unions_free(&old);
	free_spares(spares);
	return 0;
}

int fargs_tracers_stop(struct fargs_capture *capture)
{
	struct fargs_funchash *hash;
	bool is_listed = false;
	size_t i;
	int ret;

	/* The caller keeps others from adding or removing the session's probes. */
	for (i = 0; i < NR_PATHS; i++)
		is_listed |= !list_empty(&capture->probes[i].node);
	ret = is_listed ? leave_tracers(capture) : 0;
	if (ret)
		return ret;
	for (i = 0; i < NR_PATHS; i++) {
		struct fargs_probe *probe = &capture->probes[i];

		mutex_lock(&tables_lock);
		hash = probe->hash;
		probe->hash = NULL;
		mutex_unlock(&tables_lock);
		fargs_funchash_destroy(hash);
	}
	return 0;
}
