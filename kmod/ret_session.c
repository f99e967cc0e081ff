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
 */
#include "ret_session.h"

#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/stddef.h>

#include "compat/retprobe.h"
#include "pool.h"
#include "probes.h"
#include "refusal.h"
#include "ret.h"
#include "session.h"
#include "template.h"

/* A task that sleeps in a traced function holds a slot; there are more of them on more CPUs. */
#define SLOTS_MIN	1024u
#define SLOTS_PER_CPU	64u

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

static bool has_return(const struct fargs_session_func *func)
{
	return func->path == FARGS_PATH_RETURN && !func->is_dropped;
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
				      u32 nr_slots)
{
	u32 i, body_bytes = 0;

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

int fargs_ret_init(struct fargs_session *session, u32 maxactive, struct fargs_refusal *refusal)
{
	u32 nr_slots = maxactive ?: clamp(SLOTS_PER_CPU * num_possible_cpus(), SLOTS_MIN,
					  FARGS_MAXACTIVE_MAX);
	u32 nr = collect(session, NULL);
	struct fargs_retprobe_func *funcs;

	if (!nr)
		return 0;
	funcs = collect_all(session, nr);
	if (!funcs)
		return -ENOMEM;
	session->capture.pool = create_pool(funcs, nr, nr_slots);
	kvfree(funcs);
	if (!session->capture.pool)
		return fargs_refuse(refusal, ENOMEM, FARGS_NONE,
				    offsetof(struct fargs_start, maxactive),
				    "no memory for %u calls that wait for their return", nr_slots);
	session->returns.nr_pending = 0;
	return 0;
}

void fargs_ret_deinit(struct fargs_session *session)
{
	fargs_pool_destroy(session->capture.pool);
	session->capture.pool = NULL;
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
	ret = fargs_retprobe_register(&session->returns.probes, &fargs_ret_hooks,
				      &session->capture, funcs, nr, session->capture.pool->nr,
				      &failed);
	if (ret == -ENODEV) {
		fargs_probes_stick(session);
		ret = fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				   "ftrace broke while it patched the kernel; reboot");
	} else if (ret) {
		refuse_probes(ret, funcs, nr, failed, refusal);
	}
	kvfree(funcs);
	return ret;
}

void fargs_ret_disarm(struct fargs_session *session)
{
	struct fargs_returns *returns = &session->returns;
	u64 nr_missed;

	if (!returns->probes)
		return;
	if (session->is_stuck || fargs_retprobe_unregister(returns->probes, &nr_missed)) {
		fargs_probes_stick(session);
		return;
	}
	returns->probes = NULL;
	returns->nr_missed += nr_missed;
	returns->nr_pending = fargs_pool_nr_pending(session->capture.pool);
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

	return returns->nr_missed +
	       (returns->probes ? fargs_retprobe_nr_missed(returns->probes) : 0);
}

u64 fargs_ret_nr_pending(const struct fargs_session *session)
{
	const struct fargs_returns *returns = &session->returns;

	return returns->probes ? fargs_pool_nr_pending(session->capture.pool) : returns->nr_pending;
}
