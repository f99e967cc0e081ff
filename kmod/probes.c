// SPDX-License-Identifier: GPL-2.0-only
#include "probes.h"

#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "funchash.h"
#include "refusal.h"
#include "session.h"

/* One for each path that has an ops; in the order in which they are registered. */
static const struct {
	enum fargs_path path;
	size_t offset;		/* of the struct fargs_probe in struct fargs_capture */
	ftrace_func_t func;
	ftrace_func_t under_func;	/* with capture->under */
} paths[] = {
	{ FARGS_PATH_PLAIN, offsetof(struct fargs_capture, plain), fargs_entry_plain,
	  fargs_under_entry_plain },
	{ FARGS_PATH_FETCH, offsetof(struct fargs_capture, fetch), fargs_entry_fetch,
	  fargs_under_entry_fetch },
};

static struct fargs_probe *probe_at(struct fargs_session *session, size_t i)
{
	return (void *)&session->capture + paths[i].offset;
}

static bool is_armed(const struct fargs_probe *probe)
{
	return probe->hash;
}

/* How many functions it still has. */
static u32 nr_of(const struct fargs_session *session, enum fargs_path path)
{
	u32 i, nr = 0;

	for (i = 0; i < session->nr_funcs; i++)
		nr += !session->funcs[i].is_dropped && session->funcs[i].path == path;
	return nr;
}

void fargs_probes_init(struct fargs_session *session)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		/* kernel.ftrace_enabled=0 would stop us without a word. */
		probe_at(session, i)->ops.flags = FTRACE_OPS_FL_PERMANENT;
	}
}

void fargs_probes_deinit(struct fargs_session *session)
{
	size_t i;

	/* Not at each stop: to 6.12 it leaves a dangling filter, good for no second START. */
	for (i = 0; i < ARRAY_SIZE(paths); i++)
		ftrace_free_filter(&probe_at(session, i)->ops);
}

void fargs_probes_stick(struct fargs_session *session)
{
	if (session->is_stuck)
		return;
	session->is_stuck = true;
	__module_get(THIS_MODULE);
	pr_err("fargs: ftrace has broken down; the session and the module stay until reboot\n");
}

static struct fargs_funchash *make_hash(const struct fargs_session *session,
					enum fargs_path path, u32 nr)
{
	struct fargs_funchash *hash = fargs_funchash_create(nr);
	u32 i;

	for (i = 0; hash && i < session->nr_funcs; i++) {
		const struct fargs_session_func *func = &session->funcs[i];

		if (!func->is_dropped && func->path == path)
			fargs_funchash_insert(hash, func->ip, func->template);
	}
	return hash;
}

/*
 * Sets the whole filter from our own list, of @nr functions. They must not be 0:
 * that means everything.
 */
static int set_filter(struct fargs_session *session, size_t i, u32 nr)
{
	unsigned long *ips = kvmalloc_array(nr, sizeof(*ips), GFP_KERNEL);
	u32 func, at = 0;
	int ret;

	if (!ips)
		return -ENOMEM;
	for (func = 0; func < session->nr_funcs; func++) {
		if (!session->funcs[func].is_dropped && session->funcs[func].path == paths[i].path)
			ips[at++] = session->funcs[func].ip;
	}
	ret = ftrace_set_filter_ips(&probe_at(session, i)->ops, ips, at, 0, 1);
	kvfree(ips);
	return ret;
}

void fargs_probes_filter(struct fargs_session *session, enum fargs_path path, unsigned long *ips,
			 u32 nr)
{
	u32 had = nr_of(session, path) - nr;
	size_t i;

	for (i = 0; nr && i < ARRAY_SIZE(paths); i++) {
		struct fargs_probe *probe = probe_at(session, i);

		if (paths[i].path != path || probe->nr_filtered != had)
			continue;
		probe->nr_filtered =
			ftrace_set_filter_ips(&probe->ops, ips, nr, 0, !had) ? 0 : had + nr;
	}
}

static void free_hash(struct fargs_probe *probe)
{
	fargs_funchash_destroy((struct fargs_funchash *)probe->hash);
	probe->hash = NULL;
}

/*
 * Takes one ops out of ftrace. Since it is not one of the core kernel's, ftrace
 * waits until no CPU and no preempted task is in its trampoline or our callback
 * (synchronize_rcu_tasks() on every kernel, which also waits for what runs with
 * preemption disabled); then its hash can go. It fails if ftrace has given up,
 * after a bug: then the hash stays, too.
 */
static void disarm(struct fargs_session *session, struct fargs_probe *probe)
{
	if (!is_armed(probe))
		return;
	if (session->is_stuck || unregister_ftrace_function(&probe->ops)) {
		fargs_probes_stick(session);
		return;
	}
	free_hash(probe);
	probe->nr_filtered = 0;
}

static int arm(struct fargs_session *session, size_t i, u32 nr, struct fargs_refusal *refusal)
{
	struct fargs_probe *probe = probe_at(session, i);
	int ret;

	probe->ops.func = session->capture.under ? paths[i].under_func : paths[i].func;
	probe->hash = make_hash(session, paths[i].path, nr);
	if (!probe->hash)
		return -ENOMEM;
	ret = probe->nr_filtered == nr ? 0 : set_filter(session, i, nr);
	if (ret) {
		free_hash(probe);
		return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
				    "ftrace refuses the functions (%d): has a module gone?", ret);
	}
	ret = register_ftrace_function(&probe->ops);
	if (ret == -ENODEV) {
		/*
		 * It was alive when it took the filter, and broke half way: some
		 * functions may call us until reboot. Nothing is freed.
		 */
		fargs_probes_stick(session);
		return fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				    "ftrace broke while it patched the kernel; reboot");
	}
	if (ret) {
		free_hash(probe);
		return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE, ret == -EBUSY ?
				    "ftrace is switched off: sysctl kernel.ftrace_enabled=1" :
				    "ftrace refuses (%d)", ret);
	}
	return 0;
}

int fargs_probes_arm(struct fargs_session *session, struct fargs_refusal *refusal)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		u32 nr = nr_of(session, paths[i].path);
		int ret = nr ? arm(session, i, nr, refusal) : 0;

		if (ret) {
			fargs_probes_disarm(session);
			return ret;
		}
	}
	return 0;
}

/*
 * Puts a hash with all functions of the path in the place of the one that callbacks
 * use, then has ftrace call them for the new functions, too: so no call finds
 * nothing. The release pairs with the dependency of what a callback reads on the
 * pointer.
 *
 * The old one is in the hands of callbacks with preemption disabled. Where RCU may not
 * watch a traced function, synchronize_rcu_tasks_rude() waits for each CPU to
 * schedule; where such places are not traceable (noinstr everywhere) the kernel has made
 * nothing of it (7.2 on x86), and RCU itself waits for all there are.
 */
static int extend(struct fargs_session *session, size_t i, u32 nr)
{
	struct fargs_probe *probe = probe_at(session, i);
	struct fargs_funchash *old = (struct fargs_funchash *)probe->hash;
	struct fargs_funchash *hash = make_hash(session, paths[i].path, nr);
	int ret;

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

	for (i = 0; i < session->nr_funcs; i++) {
		if (session->funcs[i].is_new && session->funcs[i].path == path)
			return true;
	}
	return false;
}

int fargs_probes_extend(struct fargs_session *session)
{
	struct fargs_refusal refusal;
	size_t i;
	int ret = 0;

	fargs_refusal_init(&refusal);
	for (i = 0; !ret && i < ARRAY_SIZE(paths); i++) {
		u32 nr = nr_of(session, paths[i].path);

		if (!has_new(session, paths[i].path))
			continue;
		/* An ops without functions was not registered. */
		ret = is_armed(probe_at(session, i)) ? extend(session, i, nr) :
						       arm(session, i, nr, &refusal);
	}
	return ret;
}

void fargs_probes_disarm(struct fargs_session *session)
{
	size_t i = ARRAY_SIZE(paths);

	while (i--)
		disarm(session, probe_at(session, i));
}

void fargs_probes_forget(struct fargs_session *session, unsigned long ip)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		struct fargs_probe *probe = probe_at(session, i);

		probe->nr_filtered = 0;
		if (is_armed(probe))
			fargs_funchash_drop((struct fargs_funchash *)probe->hash, ip);
	}
}

void fargs_probes_refilter(struct fargs_session *session)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths) && !session->is_stuck; i++) {
		struct fargs_probe *probe = probe_at(session, i);
		u32 nr = nr_of(session, paths[i].path);

		if (!is_armed(probe))
			continue;
		/* An empty filter would trace everything. */
		if (!nr)
			disarm(session, probe);
		else if (set_filter(session, i, nr))
			pr_warn_once("fargs: a module's functions stay in ftrace's filter; they are not recorded\n");
	}
}
