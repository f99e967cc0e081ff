// SPDX-License-Identifier: GPL-2.0-only
/*
 * What becomes of a call's slot:
 *
 *	returned		its RETURN record is written, or its number counted;
 *				given back by whoever does that, on any CPU
 *	STOP while in flight	no callback comes any more (compat/retprobe*.c); the
 *				pool goes as a whole, the call is one of nr_pending
 *	never returns		do_exit() and what calls it, or a kernel thread that
 *				ends: the slot is given back when the task is freed, after
 *				its last instruction (tasks.c); one of nr_pending
 *	tail call		each of the two has a slot, and both return where the
 *				first one was to
 *	the module goes		not while a call is in it. Its functions are taken out
 *				of the probes before its text is freed
 *	a module comes		a set of probes of its own, which uses the same pool
 */
#include "ret_session.h"

#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stddef.h>

#include "compat/retprobe.h"
#include "pool.h"
#include "probes.h"
#include "refusal.h"
#include "ret.h"
#include "session.h"
#include "template.h"
#include "under.h"

/* A task that sleeps in a traced function holds a slot; there are more of them on more CPUs. */
#define SLOTS_MIN	1024u
#define SLOTS_PER_CPU	64u

/*
 * Return probes of a module that came while the session was running, one set for its
 * init memory and one for the rest: so each goes as a whole when its functions do.
 */
struct fargs_late_returns {
	struct list_head node;
	const struct module *mod;	/* to be compared only */
	bool is_init;
	struct fargs_retprobe *probes;
};

int fargs_ret_verify_start(const struct fargs_start *start, struct fargs_refusal *refusal)
{
	if (start->maxactive > FARGS_MAXACTIVE_MAX)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, maxactive),
				    "maxactive %u is more than %u", start->maxactive,
				    FARGS_MAXACTIVE_MAX);
	if (start->reserved)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_start, reserved), "reserved is not 0");
	return 0;
}

/* Its return probe is in the set of START. */
static bool has_return(const struct fargs_session_func *func)
{
	return func->path == FARGS_PATH_RETURN && !func->is_dropped && !func->late;
}

static u32 collect(const struct fargs_session *session, struct fargs_retprobe_func *funcs)
{
	u32 i, nr = 0;

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
				      u32 nr_slots, u32 body_bytes)
{
	u32 i;

	for (i = 0; i < nr; i++)
		body_bytes = max(body_bytes, fargs_ret_body_bytes(funcs[i].template));
	return fargs_pool_create(nr_slots, body_bytes);
}

static int refuse_probes(int ret, const struct fargs_retprobe_func *funcs, u32 nr, u32 failed,
			 struct fargs_refusal *refusal)
{
	if (failed < nr)
		return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
				    "the kernel refuses a return probe on %pS (%d)",
				    (void *)funcs[failed].ip, ret);
	return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
			    "the kernel refuses the return probes (%d)", ret);
}

/* The functions to be probed, in ascending order of their address; NULL: no memory. */
static struct fargs_retprobe_func *collect_all(const struct fargs_session *session, u32 nr)
{
	struct fargs_retprobe_func *funcs = kvmalloc_array(nr, sizeof(*funcs), GFP_KERNEL);

	if (funcs)
		collect(session, funcs);
	return funcs;
}

/* Of each call it must be asked first who makes it. */
static void make_slow(const struct fargs_session *session, const struct fargs_retprobe_func *funcs,
		      u32 nr)
{
	u32 i;

	for (i = 0; i < nr && session->capture.under; i++)
		fargs_template_make_slow(funcs[i].template);
}

static int refuse_memory(u32 nr_slots, struct fargs_refusal *refusal)
{
	return fargs_refuse(refusal, ENOMEM, FARGS_NONE, offsetof(struct fargs_start, maxactive),
			    "no memory for %u calls that wait for their return", nr_slots);
}

int fargs_ret_init(struct fargs_session *session, u32 maxactive, struct fargs_refusal *refusal)
{
	u32 nr_slots = maxactive ?: clamp(SLOTS_PER_CPU * num_possible_cpus(), SLOTS_MIN,
					  FARGS_MAXACTIVE_MAX);
	const struct fargs_deferreds *deferred = &session->deferred;
	struct fargs_retprobe_func *funcs;
	u32 nr = collect(session, NULL);

	if (session->is_scoped) {
		session->capture.under = fargs_under_create(nr_slots);
		if (!session->capture.under)
			return refuse_memory(nr_slots, refusal);
	}
	if (!nr && !deferred->nr_return)
		return 0;
	funcs = collect_all(session, nr);
	if (!funcs)
		goto no_memory;
	make_slow(session, funcs, nr);
	/* Also for calls of functions that will come. */
	session->capture.pool = create_pool(funcs, nr, nr_slots, deferred->return_body_bytes);
	kvfree(funcs);
	if (!session->capture.pool)
		goto no_memory;
	session->returns.nr_pending = 0;
	return 0;

no_memory:
	fargs_ret_deinit(session);
	return refuse_memory(nr_slots, refusal);
}

static void deinit_under(struct fargs_session *session)
{
	struct fargs_under *under = session->capture.under;

	if (!under)
		return;
	session->returns.nr_unmarked += atomic64_read(&under->nr_unmarked);
	session->returns.nr_untold += atomic64_read(&under->nr_untold);
	fargs_under_destroy(under);
	session->capture.under = NULL;
}

void fargs_ret_deinit(struct fargs_session *session)
{
	deinit_under(session);
	fargs_pool_destroy(session->capture.pool);
	session->capture.pool = NULL;
}

static int register_set(struct fargs_session *session, struct fargs_retprobe **set,
			const struct fargs_retprobe_func *funcs, u32 nr, u32 *failed)
{
	int ret = fargs_retprobe_register(set, &session->capture, funcs, nr,
					  session->capture.pool->nr, failed);

	if (ret == -ENODEV)
		fargs_probes_stick(session);
	return ret;
}

int fargs_ret_arm(struct fargs_session *session, struct fargs_refusal *refusal)
{
	u32 failed, nr = collect(session, NULL);
	struct fargs_retprobe_func *funcs;
	int ret;

	if (!nr)
		return 0;
	funcs = collect_all(session, nr);
	if (!funcs)
		return -ENOMEM;
	ret = register_set(session, &session->returns.probes, funcs, nr, &failed);
	if (ret == -ENODEV) {
		ret = fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				   "ftrace broke while it patched the kernel; reboot");
	} else if (ret) {
		refuse_probes(ret, funcs, nr, failed, refusal);
	}
	kvfree(funcs);
	return ret;
}

/* Frees it, unless ftrace broke. */
static void unregister_late(struct fargs_session *session, struct fargs_late_returns *late)
{
	u64 nr_missed;
	u32 i;

	if (session->is_stuck || fargs_retprobe_unregister(late->probes, &nr_missed)) {
		fargs_probes_stick(session);
		return;
	}
	session->returns.nr_missed += nr_missed;
	for (i = 0; i < session->nr_funcs; i++) {
		if (session->funcs[i].late == late)
			session->funcs[i].late = NULL;
	}
	list_del(&late->node);
	kfree(late);
}

void fargs_ret_disarm(struct fargs_session *session)
{
	struct fargs_returns *returns = &session->returns;
	struct fargs_late_returns *late, *next;
	u64 nr_missed;

	/* Marks will stay when their functions have lost their probes, which takes its time. */
	if (session->capture.under)
		fargs_under_close(session->capture.under);
	list_for_each_entry_safe(late, next, &returns->late, node)
		unregister_late(session, late);
	if (returns->probes &&
	    (session->is_stuck || fargs_retprobe_unregister(returns->probes, &nr_missed))) {
		fargs_probes_stick(session);
		return;
	}
	if (returns->probes)
		returns->nr_missed += nr_missed;
	returns->probes = NULL;
	if (session->capture.pool && !session->is_stuck)
		returns->nr_pending = fargs_pool_nr_pending(session->capture.pool);
}

static bool is_in(const struct module *mod, unsigned long ip, bool is_init)
{
	return is_init ? within_module_init(ip, mod) : within_module_core(ip, mod);
}

/* The new functions of @mod, in ascending order of their address. */
static u32 collect_new(const struct fargs_session *session, const struct module *mod, bool is_init,
		       struct fargs_retprobe_func *funcs)
{
	u32 i, nr = 0;

	for (i = 0; i < session->nr_funcs; i++) {
		const struct fargs_session_func *func = &session->funcs[i];

		if (!func->is_new || !has_return(func) || !is_in(mod, func->ip, is_init))
			continue;
		funcs[nr].ip = func->ip;
		funcs[nr++].template = func->template;
	}
	return nr;
}

static void note_late(struct fargs_session *session, struct fargs_late_returns *late)
{
	u32 i;

	list_add(&late->node, &session->returns.late);
	for (i = 0; i < session->nr_funcs; i++) {
		struct fargs_session_func *func = &session->funcs[i];

		if (func->is_new && has_return(func) && is_in(late->mod, func->ip, late->is_init))
			func->late = late;
	}
}

static int extend(struct fargs_session *session, const struct module *mod, bool is_init,
		  struct fargs_retprobe_func *funcs)
{
	u32 failed, nr = collect_new(session, mod, is_init, funcs);
	struct fargs_late_returns *late;
	int ret;

	if (!nr)
		return 0;
	late = kzalloc(sizeof(*late), GFP_KERNEL_ACCOUNT);
	if (!late)
		return -ENOMEM;
	late->mod = mod;
	late->is_init = is_init;
	make_slow(session, funcs, nr);
	ret = register_set(session, &late->probes, funcs, nr, &failed);
	if (ret)
		kfree(late);
	else
		note_late(session, late);
	return ret;
}

int fargs_ret_extend(struct fargs_session *session, const struct module *mod)
{
	struct fargs_retprobe_func *funcs = collect_all(session, session->nr_funcs);
	int ret;

	if (!funcs)
		return -ENOMEM;
	ret = extend(session, mod, true, funcs) ?: extend(session, mod, false, funcs);
	kvfree(funcs);
	if (ret && !session->is_stuck)
		fargs_ret_leave(session, mod, false);
	return ret;
}

void fargs_ret_leave(struct fargs_session *session, const struct module *mod, bool is_init_only)
{
	struct fargs_late_returns *late, *next;

	list_for_each_entry_safe(late, next, &session->returns.late, node) {
		if (late->mod == mod && (late->is_init || !is_init_only))
			unregister_late(session, late);
	}
}

void fargs_ret_forget(struct fargs_session *session, const struct fargs_session_func *func)
{
	if (session->returns.probes && has_return(func))
		fargs_retprobe_forget(session->returns.probes, func->ip);
}

void fargs_ret_refilter(struct fargs_session *session)
{
	unsigned long *ips;
	u32 i, nr = 0;

	if (!session->returns.probes)
		return;
	ips = kvmalloc_array(session->nr_funcs, sizeof(*ips), GFP_KERNEL);
	if (!ips) {
		pr_warn_once("fargs: no memory to take a module's functions out of the return probes\n");
		return;
	}
	for (i = 0; i < session->nr_funcs; i++) {
		if (has_return(&session->funcs[i]))
			ips[nr++] = session->funcs[i].ip;
	}
	fargs_retprobe_keep(session->returns.probes, ips, nr);
	kvfree(ips);
}

u64 fargs_ret_nr_missed(const struct fargs_session *session)
{
	const struct fargs_returns *returns = &session->returns;
	const struct fargs_late_returns *late;
	u64 nr = returns->nr_missed;

	if (returns->probes)
		nr += fargs_retprobe_nr_missed(returns->probes);
	list_for_each_entry(late, &returns->late, node)
		nr += fargs_retprobe_nr_missed(late->probes);
	return nr;
}

u64 fargs_ret_nr_pending(const struct fargs_session *session)
{
	const struct fargs_returns *returns = &session->returns;

	return session->capture.pool ? fargs_pool_nr_pending(session->capture.pool) :
				       returns->nr_pending;
}

u64 fargs_ret_nr_unmarked(const struct fargs_session *session)
{
	const struct fargs_under *under = session->capture.under;

	return session->returns.nr_unmarked + (under ? atomic64_read(&under->nr_unmarked) : 0);
}

u64 fargs_ret_nr_untold(const struct fargs_session *session)
{
	const struct fargs_under *under = session->capture.under;

	return session->returns.nr_untold + (under ? atomic64_read(&under->nr_untold) : 0);
}
