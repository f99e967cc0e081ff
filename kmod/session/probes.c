// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "session/probes.h"

#include <linux/ftrace.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "base/funchash.h"
#include "base/refusal.h"
#include "session/session.h"

/* The paths that use an ftrace_ops, in the order in which the ops are registered. */
static const struct {
	enum fargs_path path;
	size_t offset;		/* offset of the struct fargs_probe in struct fargs_capture */
	ftrace_func_t func;
	ftrace_func_t scope_func;	/* replaces @func in a session with a scope */
} paths[] = {
	{ FARGS_PATH_PLAIN, offsetof(struct fargs_capture, plain), fargs_entry_plain,
	  fargs_scope_entry_plain },
	{ FARGS_PATH_FETCH, offsetof(struct fargs_capture, fetch), fargs_entry_fetch,
	  fargs_scope_entry_fetch },
};

static struct fargs_probe *probe_at(struct fargs_session *session, size_t i)
{
	return (void *)&session->capture + paths[i].offset;
}

static bool is_armed(const struct fargs_probe *probe)
{
	return probe->hash;
}

/* Counts the functions of a path, except dropped ones. */
static u32 nr_of(const struct fargs_session *session, enum fargs_path path)
{
	u32 i, nr = 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		cond_resched();
		nr += !session->funcs[i].is_dropped && session->funcs[i].path == path;
	}
	return nr;
}

void fargs_probes_init(struct fargs_session *session)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		/* Without this flag, kernel.ftrace_enabled=0 would silently stop tracing. */
		probe_at(session, i)->ops.flags = FTRACE_OPS_FL_PERMANENT;
	}
}

void fargs_probes_deinit(struct fargs_session *session)
{
	size_t i;

	/*
	 * Filters are not freed at STOP: up to 6.12 ftrace_free_filter() leaves a dangling filter,
	 * and a later START would fail.
	 */
	for (i = 0; i < ARRAY_SIZE(paths); i++)
		ftrace_free_filter(&probe_at(session, i)->ops);
}

void fargs_probes_stick(struct fargs_session *session)
{
	if (session->is_stuck)
		return;
	session->is_stuck = true;
	__module_get(THIS_MODULE);
	pr_err("ftrace has failed, so the module cannot be unloaded: reboot\n");
}

static struct fargs_funchash *make_hash(const struct fargs_session *session,
					enum fargs_path path, u32 nr)
{
	struct fargs_funchash *hash = fargs_funchash_create(nr);
	u32 i;

	lockdep_assert_held(&session->lock);
	for (i = 0; hash && i < session->nr_funcs; i++) {
		const struct fargs_session_func *func = &session->funcs[i];

		cond_resched();
		if (!func->is_dropped && func->path == path)
			fargs_funchash_insert(hash, func->ip, func->template);
	}
	return hash;
}

/*
 * Returns the fentry addresses of the @nr functions of a path, to be freed by kvfree(); or NULL if
 * there is no memory.
 */
static unsigned long *collect_path(const struct fargs_session *session, enum fargs_path path,
				   u32 nr)
{
	unsigned long *ips = kvmalloc_array(nr, sizeof(*ips), GFP_KERNEL);
	u32 i, at = 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; ips && i < session->nr_funcs; i++) {
		cond_resched();
		if (!session->funcs[i].is_dropped && session->funcs[i].path == path)
			ips[at++] = session->funcs[i].ip;
	}
	return ips;
}

/*
 * Adds @nr functions to a probe's filter or, with @is_whole, replaces the filter by them. If ftrace
 * refuses the functions, the filter is unchanged. Only this function sets filters. It never sets an
 * empty filter, with which ftrace would trace every function of the kernel. Once a filter has
 * functions, it is never empty again: neither fargs nor ftrace, when a module is unloaded, empties
 * it.
 */
static int hand_to_ftrace(struct fargs_probe *probe, unsigned long *ips, u32 nr, bool is_whole)
{
	int ret;

	if (!nr)
		return -ENOENT;
	ret = ftrace_set_filter_ips(&probe->ops, ips, nr, 0, is_whole);
	if (!ret)
		probe->has_filter = true;
	return ret;
}

/* Replaces the filter of a path by all @nr functions of the path. */
static int set_filter(struct fargs_session *session, size_t i, u32 nr)
{
	struct fargs_probe *probe = probe_at(session, i);
	unsigned long *ips;
	int ret;

	lockdep_assert_held(&session->lock);
	if (!nr)
		return -ENOENT;
	probe->nr_filtered = FARGS_FILTER_UNKNOWN;
	ips = collect_path(session, paths[i].path, nr);
	if (!ips)
		return -ENOMEM;
	ret = hand_to_ftrace(probe, ips, nr, true);
	kvfree(ips);
	return ret;
}

/*
 * Adds functions to the filter of a path, after they have been added to the session. session->lock
 * has been released in between. If a module with functions of the session was unloaded in that
 * time, nr_filtered is FARGS_FILTER_UNKNOWN (fargs_probes_forget()). If a module was loaded, the
 * session may have functions that are neither in the filter nor in @ips. In both cases the filter
 * is left to START.
 */
static void filter_path(struct fargs_session *session, struct fargs_probe *probe,
			enum fargs_path path, unsigned long *ips, u32 nr)
{
	u64 nr_forgotten;
	bool is_next;
	u32 had;
	int ret;

	lockdep_assert_held(&session->call_lock);
	mutex_lock(&session->lock);
	had = nr_of(session, path) - nr;
	/* Unless nr_filtered is FARGS_FILTER_UNKNOWN, the session still has all of @ips. */
	is_next = probe->nr_filtered != FARGS_FILTER_UNKNOWN && probe->nr_filtered == had;
	nr_forgotten = session->nr_forgotten;
	mutex_unlock(&session->lock);
	if (!is_next)
		return;
	ret = hand_to_ftrace(probe, ips, nr, !had);
	mutex_lock(&session->lock);
	/*
	 * If a module was unloaded while ftrace was called, its functions may be in the filter, or
	 * ftrace may have refused all of @ips because of them.
	 */
	probe->nr_filtered = ret || session->nr_forgotten != nr_forgotten ?
			     FARGS_FILTER_UNKNOWN : had + nr;
	mutex_unlock(&session->lock);
}

void fargs_probes_filter(struct fargs_session *session, enum fargs_path path, unsigned long *ips,
			 u32 nr)
{
	size_t i;

	for (i = 0; nr && i < ARRAY_SIZE(paths); i++) {
		if (paths[i].path == path)
			filter_path(session, probe_at(session, i), path, ips, nr);
	}
}

static void free_hash(struct fargs_probe *probe)
{
	fargs_funchash_destroy(probe->hash);
	probe->hash = NULL;
}

/*
 * Unregisters the ops of a probe. Since the ops is not part of the core kernel, ftrace waits until
 * no task is in the trampoline of the ops. Fails if ftrace has disabled itself after a bug, in
 * which case the probe's hash must not be freed.
 */
static int unregister_ops(struct fargs_session *session, struct fargs_probe *probe)
{
	if (!session->is_stuck && !unregister_ftrace_function(&probe->ops))
		return 0;
	fargs_probes_stick(session);
	return -ENODEV;
}

/* Frees a probe's hash. Called under session->lock, when no callback can use the hash. */
static void free_probe(struct fargs_probe *probe)
{
	free_hash(probe);
	probe->nr_filtered = FARGS_FILTER_UNKNOWN;
}

/* Registers a probe whose hash and filter have been set. */
static int register_ops(struct fargs_session *session, struct fargs_probe *probe,
			struct fargs_refusal *refusal)
{
	int ret;

	/* With an empty filter, ftrace would trace every function. */
	if (!probe->has_filter)
		return fargs_refuse(refusal, ENOENT, FARGS_NONE, FARGS_NONE,
				    "there is no function to trace");
	ret = register_ftrace_function(&probe->ops);
	if (ret == -ENODEV) {
		/*
		 * ftrace accepted the filter, but failed while it was patching: some functions may
		 * call our callback until reboot, so nothing is freed.
		 */
		fargs_probes_stick(session);
		return fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				    "ftrace failed while it patched the kernel: reboot");
	}
	if (ret)
		return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE, ret == -EBUSY ?
				    "ftrace is disabled: set sysctl kernel.ftrace_enabled=1" :
				    "ftrace rejects the callback (error %d)", ret);
	return 0;
}

static int refuse_filter(int ret, struct fargs_refusal *refusal)
{
	return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
			    "ftrace rejects a function (error %d): its module may have been unloaded meanwhile",
			    ret);
}

static int make_probe(struct fargs_session *session, size_t i, u32 nr)
{
	struct fargs_probe *probe = probe_at(session, i);

	lockdep_assert_held(&session->lock);
	probe->ops.func = session->capture.scope ? paths[i].scope_func : paths[i].func;
	probe->hash = make_hash(session, paths[i].path, nr);
	return probe->hash ? 0 : -ENOMEM;
}

/*
 * Sets the filter of a path for START, and *@nr to the number of functions in the filter.
 * session->lock is not held while ftrace is called, so a module can be unloaded at the same time.
 * If ftrace then refuses the functions, the filter is set again without those of the module; each
 * repetition has fewer functions. If ftrace accepts the functions of the module, the filter has
 * addresses that are not in the hash, and START calls fargs_probes_refilter() once everything is
 * armed.
 */
static int set_filter_unlocked(struct fargs_session *session, size_t i, u32 *nr)
{
	struct fargs_probe *probe = probe_at(session, i);
	unsigned long *ips;
	u64 nr_forgotten;
	bool is_set;
	int ret;

	lockdep_assert_held(&session->call_lock);
	do {
		mutex_lock(&session->lock);
		nr_forgotten = session->nr_forgotten;
		*nr = nr_of(session, paths[i].path);
		is_set = probe->nr_filtered == *nr;
		ips = is_set || !*nr ? NULL : collect_path(session, paths[i].path, *nr);
		if (!is_set)
			probe->nr_filtered = FARGS_FILTER_UNKNOWN;
		mutex_unlock(&session->lock);
		if (is_set || !*nr)
			return 0;
		if (!ips)
			return -ENOMEM;
		ret = hand_to_ftrace(probe, ips, *nr, true);
		kvfree(ips);
	} while (ret && READ_ONCE(session->nr_forgotten) != nr_forgotten);
	return ret;
}

static int arm_path(struct fargs_session *session, size_t i, struct fargs_refusal *refusal)
{
	struct fargs_probe *probe = probe_at(session, i);
	int ret;
	u32 nr;

	lockdep_assert_held(&session->call_lock);
	mutex_lock(&session->lock);
	nr = nr_of(session, paths[i].path);
	ret = nr ? make_probe(session, i, nr) : 0;
	mutex_unlock(&session->lock);
	if (!nr || ret)
		return ret;
	ret = set_filter_unlocked(session, i, &nr);
	if (ret)
		refuse_filter(ret, refusal);
	else if (nr)
		ret = register_ops(session, probe, refusal);
	/* If notifiers have dropped all functions of the path, no ops was registered. */
	if ((!ret && nr) || session->is_stuck)
		return ret;
	mutex_lock(&session->lock);
	free_hash(probe);
	mutex_unlock(&session->lock);
	return ret;
}

int fargs_probes_arm(struct fargs_session *session, struct fargs_refusal *refusal)
{
	size_t i;

	lockdep_assert_held(&session->call_lock);
	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		int ret = arm_path(session, i, refusal);

		if (ret) {
			fargs_probes_disarm(session);
			return ret;
		}
	}
	return 0;
}

/* Arms a path that is not armed because all of its @nr functions are new (is_new). */
static int arm_first_path(struct fargs_session *session, size_t i, u32 nr)
{
	struct fargs_probe *probe = probe_at(session, i);
	struct fargs_refusal refusal;
	int ret = make_probe(session, i, nr);

	lockdep_assert_held(&session->lock);
	fargs_refusal_init(&refusal);
	if (ret)
		return ret;
	ret = set_filter(session, i, nr);
	if (!ret)
		ret = register_ops(session, probe, &refusal);
	if (ret && !session->is_stuck)
		free_hash(probe);
	return ret;
}

/*
 * Adds new functions to a path that is armed: replaces the hash that callbacks use by one that has
 * all functions of the path, then adds the functions to ftrace's filter. This order ensures that
 * the hash has every function that a callback is called for.
 *
 *	CPU A (here)				CPU B (e.g. fargs_entry_plain())
 *	fills the new hash			READ_ONCE(probe->hash)
 *	smp_store_release(&probe->hash)		reads the hash
 *
 * The release pairs with the address dependency between the two reads of CPU B.
 *
 * The old hash is freed once no callback can still use it. Callbacks use it with preemption
 * disabled. On kernels where functions can be traced while RCU is not watching,
 * synchronize_rcu_tasks_rude() waits until each CPU has scheduled. On kernels where all code that
 * runs while RCU is not watching is noinstr (7.2 on x86), synchronize_rcu_tasks_rude() does
 * nothing, and synchronize_rcu() waits for all callbacks.
 */
static int extend_path(struct fargs_session *session, size_t i, u32 nr)
{
	struct fargs_probe *probe = probe_at(session, i);
	struct fargs_funchash *old = probe->hash;
	struct fargs_funchash *hash = make_hash(session, paths[i].path, nr);
	int ret;

	lockdep_assert_held(&session->lock);
	if (!hash)
		return -ENOMEM;
	smp_store_release(&probe->hash, hash);
	ret = set_filter(session, i, nr);
	synchronize_rcu_tasks_rude();
	synchronize_rcu();
	fargs_funchash_destroy(old);
	if (ret == -ENODEV)
		fargs_probes_stick(session);
	return ret;
}

static bool has_new(const struct fargs_session *session, enum fargs_path path)
{
	u32 i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		const struct fargs_session_func *func = &session->funcs[i];

		if (func->is_new && !func->is_dropped && func->path == path)
			return true;
	}
	return false;
}

int fargs_probes_extend(struct fargs_session *session)
{
	size_t i;
	int ret = 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; !ret && i < ARRAY_SIZE(paths); i++) {
		u32 nr = nr_of(session, paths[i].path);

		if (!has_new(session, paths[i].path))
			continue;
		/*
		 * nr is not 0, since it includes the new functions. If the path had no functions
		 * before, its ops is not registered.
		 */
		ret = is_armed(probe_at(session, i)) ? extend_path(session, i, nr) :
						       arm_first_path(session, i, nr);
	}
	return ret;
}

/*
 * When an ops is unregistered, ftrace does not wait for callbacks on every kernel. It calls
 * synchronize_rcu_tasks_rude(), but that does nothing where all code that runs while RCU is not
 * watching is noinstr. It also calls synchronize_rcu_tasks(), but some series do so only if the
 * kernel can preempt tasks in a trampoline (CONFIG_PREEMPTION). Where neither waits, a callback
 * could still use a hash, or the data that fargs_session_halt() frees after this function. So this
 * function waits itself. Callbacks run with preemption disabled: synchronize_rcu() waits for those
 * that run while RCU is watching, synchronize_rcu_tasks_rude() for the others. Neither waits for a
 * CPU that goes offline (Documentation/decisions/which-limits-are-shared-with-ftrace-and-bpf.md).
 */
void fargs_probes_disarm(struct fargs_session *session)
{
	bool is_off[ARRAY_SIZE(paths)], is_any_off = false;
	size_t i = ARRAY_SIZE(paths);

	lockdep_assert_held(&session->call_lock);
	while (i--) {
		struct fargs_probe *probe = probe_at(session, i);

		is_off[i] = is_armed(probe) && !unregister_ops(session, probe);
		is_any_off |= is_off[i];
	}
	if (!is_any_off)
		return;
	synchronize_rcu_tasks_rude();
	synchronize_rcu();
	mutex_lock(&session->lock);
	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		if (is_off[i])
			free_probe(probe_at(session, i));
	}
	mutex_unlock(&session->lock);
}

void fargs_probes_forget(struct fargs_session *session, unsigned long ip)
{
	size_t i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		struct fargs_probe *probe = probe_at(session, i);

		probe->nr_filtered = FARGS_FILTER_UNKNOWN;
		if (is_armed(probe))
			fargs_funchash_drop(probe->hash, ip);
	}
	session->nr_forgotten++;
}

void fargs_probes_refilter(struct fargs_session *session)
{
	size_t i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < ARRAY_SIZE(paths) && !session->is_stuck; i++) {
		struct fargs_probe *probe = probe_at(session, i);
		u32 nr = nr_of(session, paths[i].path);

		if (!is_armed(probe))
			continue;
		/* With an empty filter, ftrace would trace every function. */
		if (!nr && !unregister_ops(session, probe))
			free_probe(probe);
		else if (nr && set_filter(session, i, nr))
			pr_warn_once("cannot remove the freed functions of a module from ftrace's filter; their calls are not recorded\n");
	}
}
