// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lifetime of a call's slot:
 *
 *	call returns		its RETURN record is written, or the call is counted as rejected or
 *				lost; then the slot is freed, on any CPU
 *	STOP during the call	no callback runs any more (compat/retprobe*.c); the whole pool is
 *				freed, and the call is counted in nr_pending
 *	call never returns	do_exit() and its callers: the slot is freed when the task exits.
 *				Functions that do_exit() calls after that, such as do_task_dead():
 *				the slot is freed when the task is freed, after the task's last
 *				instruction (probe/tasks.c). The call is counted in nr_pending
 *	tail call		both calls have a slot, and both return to the return address of
 *				the first call
 *	module is unloaded	does not happen during a call of one of its functions; the module's
 *				functions are removed from the probes before its text is freed
 *	module is loaded	its functions get separate sets of probes, which use the same pool
 *
 * A set of return probes is added to the session before it is registered, and removed after it has
 * been unregistered. START and STOP register and unregister sets without session->lock; while they
 * do, module notifiers can remove functions from the set (session/session.h).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "session/ret.h"

#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stddef.h>

#include "base/refusal.h"
#include "compat/retprobe.h"
#include "probe/pool.h"
#include "probe/ret.h"
#include "probe/scope.h"
#include "prog/template.h"
#include "session/probes.h"
#include "session/session.h"

/*
 * The default number of slots is SLOTS_PER_CPU for each possible CPU, but at least SLOTS_MIN. A
 * task that sleeps in a traced function holds a slot, and machines with more CPUs have more such
 * tasks.
 */
#define SLOTS_MIN	1024u
#define SLOTS_PER_CPU	64u

/*
 * A set of return probes on functions of a module that was loaded since START. Functions in the
 * module's init memory and the rest of its functions have separate sets, so that a set is
 * unregistered as a whole when its functions are freed.
 */
struct fargs_module_returns {
	struct list_head node;
	const struct module *mod;	/* compared only, not dereferenced */
	bool is_init;
	struct fargs_retprobe *probes;	/* NULL: not registered */
};

int fargs_ret_verify_start(const struct fargs_start *start, struct fargs_refusal *refusal)
{
	if (start->maxactive > FARGS_MAXACTIVE_MAX)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, maxactive),
				    "maxactive %u is more than %u", start->maxactive,
				    FARGS_MAXACTIVE_MAX);
	return 0;
}

/* Returns whether the function has a return probe in the set of START (fargs_returns.probes). */
static bool has_return(const struct fargs_session_func *func)
{
	return func->path == FARGS_PATH_RETURN && !func->is_dropped && !func->module_set;
}

static u32 collect_returns(const struct fargs_session *session, struct fargs_retprobe_func *funcs)
{
	u32 i, nr = 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		const struct fargs_session_func *func = &session->funcs[i];

		if (!has_return(func))
			continue;
		if (funcs) {
			funcs[nr].ip = func->ip;
			funcs[nr].template = func->template;
		}
		nr++;
	}
	return nr;
}

static struct fargs_pool *create_pool(const struct fargs_retprobe_func *funcs, u32 nr,
				      u32 nr_slots, u32 nr_reserved, u32 body_bytes)
{
	u32 i;

	for (i = 0; i < nr; i++)
		body_bytes = max(body_bytes, fargs_ret_body_bytes(funcs[i].template));
	return fargs_pool_create(nr_slots, nr_reserved, body_bytes);
}

static int refuse_probes(int ret, const struct fargs_retprobe_func *funcs, u32 nr, u32 failed,
			 struct fargs_refusal *refusal)
{
	if (failed < nr)
		return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
				    "the kernel rejects a return probe on %pS (error %d)",
				    (void *)funcs[failed].ip, ret);
	return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
			    "the kernel rejects the return probes (error %d)", ret);
}

/*
 * Returns an array with room for @nr functions, which begins with the functions of the set of
 * START, sorted by address; or NULL if there is no memory.
 */
static struct fargs_retprobe_func *collect_all_returns(const struct fargs_session *session, u32 nr)
{
	struct fargs_retprobe_func *funcs = kvmalloc_array(nr, sizeof(*funcs), GFP_KERNEL);

	if (funcs)
		collect_returns(session, funcs);
	return funcs;
}

/* In a session with a scope, makes the capture path check first whether a call is in scope. */
static void make_slow(const struct fargs_session *session, const struct fargs_retprobe_func *funcs,
		      u32 nr)
{
	u32 i;

	for (i = 0; i < nr && session->capture.scope; i++)
		fargs_template_make_slow(funcs[i].template);
}

static u32 slots_of(u32 maxactive)
{
	return maxactive ?: clamp(SLOTS_PER_CPU * num_possible_cpus(), SLOTS_MIN,
				  FARGS_MAXACTIVE_MAX);
}

/*
 * Returns the number of slots reserved for calls that may trigger, in addition to @nr_slots: an
 * eighth of @nr_slots, rounded up to whole words of the pool; 0 if no call needs such a slot.
 */
static u32 reserved_of(const struct fargs_session *session, u32 nr_slots)
{
	return session->has_return_trigger ? round_up(DIV_ROUND_UP(nr_slots, 8), BITS_PER_LONG) : 0;
}

u64 fargs_ret_start_bytes(const struct fargs_session *session, u32 maxactive)
{
	u32 i, nr = 0, nr_slots = slots_of(maxactive);
	u32 nr_reserved = reserved_of(session, nr_slots);
	u32 body_bytes = session->deferred.return_body_bytes;
	u64 bytes = session->is_scoped ? fargs_scope_bytes(nr_slots + nr_reserved) : 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		if (!has_return(&session->funcs[i]) || session->funcs[i].is_deferred)
			continue;
		body_bytes = max(body_bytes, fargs_ret_body_bytes(session->funcs[i].template));
		nr++;
	}
	nr += session->deferred.nr_return;
	return nr ? bytes + fargs_pool_bytes(nr_slots, nr_reserved, body_bytes) +
		    fargs_retprobe_bytes(nr, nr_slots + nr_reserved) : bytes;
}

static int refuse_memory(u32 nr_slots, struct fargs_refusal *refusal)
{
	return fargs_refuse(refusal, ENOMEM, FARGS_NONE, offsetof(struct fargs_start, maxactive),
			    "no memory for %u pending calls (maxactive)", nr_slots);
}

int fargs_ret_init(struct fargs_session *session, u32 maxactive, struct fargs_refusal *refusal)
{
	u32 nr_slots = slots_of(maxactive), nr_reserved = reserved_of(session, nr_slots);
	const struct fargs_deferreds *deferred = &session->deferred;
	struct fargs_scope *scope = session->is_scoped ?
				    fargs_scope_create(nr_slots + nr_reserved) : NULL;
	struct fargs_retprobe_func *funcs;
	struct fargs_pool *pool = NULL;
	u32 nr;

	lockdep_assert_held(&session->call_lock);
	if (session->is_scoped && !scope)
		return refuse_memory(nr_slots, refusal);
	mutex_lock(&session->lock);
	session->capture.scope = scope;
	nr = collect_returns(session, NULL);
	funcs = collect_all_returns(session, nr);
	mutex_unlock(&session->lock);
	/* The pool also has slots for calls of deferred functions. */
	if (funcs && (nr || deferred->nr_return)) {
		make_slow(session, funcs, nr);
		pool = create_pool(funcs, nr, nr_slots, nr_reserved,
				   deferred->return_body_bytes);
	}
	kvfree(funcs);
	if (!funcs || (!pool && (nr || deferred->nr_return))) {
		fargs_ret_deinit(session);
		return refuse_memory(nr_slots, refusal);
	}
	mutex_lock(&session->lock);
	session->capture.pool = pool;
	if (pool) {
		session->returns.nr_pending = 0;
		session->returns.nr_slots = nr_slots;
	}
	mutex_unlock(&session->lock);
	return 0;
}

void fargs_ret_deinit(struct fargs_session *session)
{
	struct fargs_scope *scope = session->capture.scope;
	struct fargs_pool *pool = session->capture.pool;

	lockdep_assert_held(&session->call_lock);
	mutex_lock(&session->lock);
	if (scope) {
		session->returns.nr_unmarked += atomic64_read(&scope->nr_unmarked);
		session->returns.nr_undecided += atomic64_read(&scope->nr_undecided);
	}
	session->capture.scope = NULL;
	session->capture.pool = NULL;
	mutex_unlock(&session->lock);
	if (scope)
		fargs_scope_destroy(scope);
	fargs_pool_destroy(pool);
}

static int register_return_set(struct fargs_session *session, struct fargs_retprobe *set,
			       u32 *failed)
{
	const struct fargs_pool *pool = session->capture.pool;
	int ret = fargs_retprobe_register(set, pool->nr + pool->nr_reserved, failed);

	if (ret == -ENODEV)
		fargs_probes_stick(session);
	return ret;
}

/*
 * Creates the set of return probes that START registers; sets *@funcs and *@nr to its functions.
 * Returns 0 or -ENOMEM.
 */
static int make_return_set(struct fargs_session *session, struct fargs_retprobe_func **funcs,
			   u32 *nr)
{
	lockdep_assert_held(&session->lock);
	*nr = collect_returns(session, NULL);
	*funcs = *nr ? collect_all_returns(session, *nr) : NULL;
	if (*funcs)
		session->returns.probes = fargs_retprobe_create(&session->capture, *funcs, *nr);
	return *nr && !session->returns.probes ? -ENOMEM : 0;
}

/* Frees the return probes of START (fargs_returns.probes), which must not be registered. */
static void end_return_set(struct fargs_session *session)
{
	struct fargs_retprobe *set = session->returns.probes;

	mutex_lock(&session->lock);
	session->returns.nr_missed += fargs_retprobe_count_missed(set);
	session->returns.probes = NULL;
	mutex_unlock(&session->lock);
	fargs_retprobe_destroy(set);
}

int fargs_ret_arm(struct fargs_session *session, struct fargs_refusal *refusal)
{
	struct fargs_retprobe_func *funcs;
	u32 failed, nr;
	int ret;

	lockdep_assert_held(&session->call_lock);
	mutex_lock(&session->lock);
	ret = make_return_set(session, &funcs, &nr);
	mutex_unlock(&session->lock);
	if (ret || !nr)
		goto out;
	ret = register_return_set(session, session->returns.probes, &failed);
	if (ret == -ENODEV) {
		ret = fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				   "ftrace failed while it patched the kernel: reboot");
	} else if (ret) {
		refuse_probes(ret, funcs, nr, failed, refusal);
		end_return_set(session);
	}
out:
	kvfree(funcs);
	return ret;
}

/* Returns 0, or -ENODEV if ftrace has broken, in which case @set must not be freed. */
static int unregister_module_set(struct fargs_session *session, struct fargs_module_returns *set)
{
	if (!set->probes)
		return 0;
	if (!session->is_stuck && !fargs_retprobe_unregister(set->probes))
		return 0;
	fargs_probes_stick(session);
	return -ENODEV;
}

/* Frees a module's set of return probes, which must not be registered. */
static void free_module_set(struct fargs_session *session, struct fargs_module_returns *set)
{
	u32 i;

	lockdep_assert_held(&session->lock);
	if (set->probes) {
		session->returns.nr_missed += fargs_retprobe_count_missed(set->probes);
		fargs_retprobe_destroy(set->probes);
	}
	for (i = 0; i < session->nr_funcs; i++) {
		if (session->funcs[i].module_set == set)
			session->funcs[i].module_set = NULL;
	}
	list_del(&set->node);
	kfree(set);
}

void fargs_ret_disarm(struct fargs_session *session)
{
	struct fargs_returns *returns = &session->returns;
	struct fargs_module_returns *set, *next;

	lockdep_assert_held(&session->call_lock);
	/*
	 * Close the scope before unregistering probes, which takes a long time: when the return
	 * probe of a function is gone, its calls no longer remove their mark when they return.
	 */
	if (session->capture.scope)
		fargs_scope_close(session->capture.scope);
	/*
	 * Notifiers do not change module_sets in FARGS_PHASE_STILL: no lock is needed to walk it.
	 */
	list_for_each_entry_safe(set, next, &returns->module_sets, node) {
		if (unregister_module_set(session, set))
			continue;
		mutex_lock(&session->lock);
		free_module_set(session, set);
		mutex_unlock(&session->lock);
	}
	if (returns->probes && (session->is_stuck || fargs_retprobe_unregister(returns->probes))) {
		fargs_probes_stick(session);
		return;
	}
	if (returns->probes)
		end_return_set(session);
	if (session->capture.pool && !session->is_stuck)
		returns->nr_pending = fargs_pool_nr_pending(session->capture.pool);
}

static bool is_in(const struct module *mod, unsigned long ip, bool is_init)
{
	return is_init ? within_module_init(ip, mod) : within_module_core(ip, mod);
}

/* Creates a set for the module's new functions that need a return probe, if there are any. */
static int expect_module_set(struct fargs_session *session, const struct module *mod, bool is_init)
{
	struct fargs_module_returns *set = NULL;
	u32 i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		struct fargs_session_func *func = &session->funcs[i];

		if (!func->is_new || !has_return(func) || !is_in(mod, func->ip, is_init))
			continue;
		if (!set)
			set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);
		if (!set)
			return -ENOMEM;
		func->module_set = set;
	}
	if (!set)
		return 0;
	set->mod = mod;
	set->is_init = is_init;
	list_add(&set->node, &session->returns.module_sets);
	return 0;
}

int fargs_ret_expect(struct fargs_session *session, const struct module *mod)
{
	int ret = expect_module_set(session, mod, true) ?: expect_module_set(session, mod, false);

	lockdep_assert_held(&session->lock);
	if (ret)
		fargs_ret_leave(session, mod, false);
	return ret;
}

/* Collects the functions of a module's set, sorted by address; returns their number. */
static u32 collect_module_set(const struct fargs_session *session,
			      const struct fargs_module_returns *set,
			      struct fargs_retprobe_func *funcs)
{
	u32 i, nr = 0;

	for (i = 0; i < session->nr_funcs; i++) {
		const struct fargs_session_func *func = &session->funcs[i];

		if (func->module_set != set || func->is_dropped)
			continue;
		funcs[nr].ip = func->ip;
		funcs[nr++].template = func->template;
	}
	return nr;
}

static int arm_module_set(struct fargs_session *session, struct fargs_module_returns *set,
			  struct fargs_retprobe_func *funcs)
{
	u32 failed, nr = collect_module_set(session, set, funcs);
	int ret;

	lockdep_assert_held(&session->lock);
	if (!nr)
		return 0;
	make_slow(session, funcs, nr);
	set->probes = fargs_retprobe_create(&session->capture, funcs, nr);
	if (!set->probes)
		return -ENOMEM;
	ret = register_return_set(session, set->probes, &failed);
	if (ret && ret != -ENODEV) {
		fargs_retprobe_destroy(set->probes);
		set->probes = NULL;
	}
	return ret;
}

int fargs_ret_arm_modules(struct fargs_session *session)
{
	struct fargs_retprobe_func *funcs = collect_all_returns(session, session->nr_funcs);
	struct fargs_module_returns *set;
	int ret = 0;

	lockdep_assert_held(&session->lock);
	if (!funcs)
		return -ENOMEM;
	list_for_each_entry(set, &session->returns.module_sets, node) {
		if (!set->probes && !session->is_stuck)
			ret = arm_module_set(session, set, funcs) ?: ret;
	}
	kvfree(funcs);
	return ret;
}

bool fargs_ret_is_armed(const struct fargs_session_func *func)
{
	return !func->module_set || func->module_set->probes;
}

int fargs_ret_extend(struct fargs_session *session, const struct module *mod)
{
	int ret = fargs_ret_expect(session, mod) ?: fargs_ret_arm_modules(session);

	lockdep_assert_held(&session->lock);
	if (ret && !session->is_stuck)
		fargs_ret_leave(session, mod, false);
	return ret;
}

void fargs_ret_leave(struct fargs_session *session, const struct module *mod, bool is_init_only)
{
	struct fargs_module_returns *set, *next;

	lockdep_assert_held(&session->lock);
	list_for_each_entry_safe(set, next, &session->returns.module_sets, node) {
		if (set->mod == mod && (set->is_init || !is_init_only) &&
		    !unregister_module_set(session, set))
			free_module_set(session, set);
	}
}

void fargs_ret_forget(struct fargs_session *session, const struct fargs_session_func *func)
{
	struct fargs_retprobe *probes = func->module_set ? func->module_set->probes :
							   session->returns.probes;

	lockdep_assert_held(&session->lock);
	if (probes && func->path == FARGS_PATH_RETURN && !func->is_dropped)
		fargs_retprobe_forget(probes, func->ip);
}

void fargs_ret_refilter(struct fargs_session *session)
{
	unsigned long *ips;
	u32 i, nr = 0;

	lockdep_assert_held(&session->lock);
	if (!session->returns.probes)
		return;
	ips = kvmalloc_array(session->nr_funcs, sizeof(*ips), GFP_KERNEL);
	if (!ips) {
		pr_warn_once("no memory to remove the freed functions of a module from the return probes; their returns are not recorded\n");
		return;
	}
	for (i = 0; i < session->nr_funcs; i++) {
		if (has_return(&session->funcs[i]))
			ips[nr++] = session->funcs[i].ip;
	}
	fargs_retprobe_keep(session->returns.probes, ips, nr);
	kvfree(ips);
}

u64 fargs_ret_nr_missed(struct fargs_session *session)
{
	struct fargs_returns *returns = &session->returns;
	struct fargs_module_returns *set;

	lockdep_assert_held(&session->lock);
	if (returns->probes)
		returns->nr_missed += fargs_retprobe_count_missed(returns->probes);
	list_for_each_entry(set, &returns->module_sets, node) {
		if (set->probes)
			returns->nr_missed += fargs_retprobe_count_missed(set->probes);
	}
	return returns->nr_missed;
}

u64 fargs_ret_nr_pending(const struct fargs_session *session)
{
	const struct fargs_returns *returns = &session->returns;

	lockdep_assert_held(&session->lock);
	return session->capture.pool ? fargs_pool_nr_pending(session->capture.pool) :
				       returns->nr_pending;
}

u64 fargs_ret_nr_unmarked(const struct fargs_session *session)
{
	const struct fargs_scope *scope = session->capture.scope;

	lockdep_assert_held(&session->lock);
	return session->returns.nr_unmarked + (scope ? atomic64_read(&scope->nr_unmarked) : 0);
}

u64 fargs_ret_nr_undecided(const struct fargs_session *session)
{
	const struct fargs_scope *scope = session->capture.scope;

	lockdep_assert_held(&session->lock);
	return session->returns.nr_undecided + (scope ? atomic64_read(&scope->nr_undecided) : 0);
}
