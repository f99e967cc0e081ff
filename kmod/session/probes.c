// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "session/probes.h"

#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "base/funchash.h"
#include "base/refusal.h"
#include "session/session.h"
#include "session/tracers.h"

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

void fargs_probes_deinit(struct fargs_session *session)
{
	size_t i;

	for (i = 0; i < FARGS_CAPTURE_PROBES; i++)
		fargs_tracers_destroy(session->capture.probes[i].prepared);
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
 * Adds functions to the prepared filter of a path, after they have been added to the session.
 * session->lock has been released in between. If a module with functions of the session was
 * unloaded in that time, nr_filtered is FARGS_FILTER_UNKNOWN (fargs_tracers_forget()). If a module
 * was loaded, the session may have functions that are neither in the filter nor in @ips. In both
 * cases the filter is left to START.
 */
void fargs_probes_filter(struct fargs_session *session, enum fargs_path path, unsigned long *ips,
			 u32 nr)
{
	struct fargs_probe *probe;
	struct fargs_tracer *tracer;
	u64 nr_forgotten;
	bool is_next;
	u32 had;
	int ret;

	lockdep_assert_held(&session->call_lock);
	if (!nr || path >= FARGS_CAPTURE_PROBES)
		return;
	probe = &session->capture.probes[path];
	if (fargs_tracers_prepare(probe))
		return;
	tracer = probe->prepared;
	mutex_lock(&session->lock);
	had = nr_of(session, path) - nr;
	/* Unless nr_filtered is FARGS_FILTER_UNKNOWN, the session still has all of @ips. */
	is_next = tracer->nr_filtered != FARGS_FILTER_UNKNOWN && tracer->nr_filtered == had;
	nr_forgotten = session->nr_forgotten;
	mutex_unlock(&session->lock);
	if (!is_next)
		return;
	ret = fargs_tracers_filter(tracer, ips, nr, !had);
	mutex_lock(&session->lock);
	/*
	 * If a module was unloaded while ftrace was called, its functions may be in the filter, or
	 * ftrace may have refused all of @ips because of them.
	 */
	tracer->nr_filtered = ret || session->nr_forgotten != nr_forgotten ?
			      FARGS_FILTER_UNKNOWN : had + nr;
	mutex_unlock(&session->lock);
}

/* Makes the hashes of all paths that have functions. */
static int make_hashes(struct fargs_session *session)
{
	size_t i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < FARGS_CAPTURE_PROBES; i++) {
		struct fargs_probe *probe = &session->capture.probes[i];
		u32 nr = nr_of(session, i);

		if (!nr)
			continue;
		probe->hash = make_hash(session, i, nr);
		if (!probe->hash)
			return -ENOMEM;
	}
	return 0;
}

int fargs_probes_arm(struct fargs_session *session, struct fargs_refusal *refusal)
{
	int ret;

	lockdep_assert_held(&session->call_lock);
	mutex_lock(&session->lock);
	ret = make_hashes(session);
	mutex_unlock(&session->lock);
	ret = ret ?: fargs_tracers_start(&session->capture, refusal);
	if (ret == -ENODEV) {
		fargs_probes_stick(session);
		ret = fargs_refuse(refusal, EIO, FARGS_NONE, FARGS_NONE,
				   "ftrace failed while it patched the kernel: reboot");
	}
	if (ret)
		fargs_probes_disarm(session);
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
	struct fargs_funchash *hashes[FARGS_CAPTURE_PROBES] = { };
	bool is_any = false;
	int ret = 0;
	size_t i;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < FARGS_CAPTURE_PROBES; i++) {
		if (!has_new(session, i))
			continue;
		hashes[i] = make_hash(session, i, nr_of(session, i));
		if (!hashes[i])
			ret = -ENOMEM;
		is_any = true;
	}
	if (ret) {
		for (i = 0; i < FARGS_CAPTURE_PROBES; i++)
			fargs_funchash_destroy(hashes[i]);
		return ret;
	}
	ret = is_any ? fargs_tracers_extend(&session->capture, hashes) : 0;
	if (ret == -ENODEV)
		fargs_probes_stick(session);
	return ret;
}

void fargs_probes_disarm(struct fargs_session *session)
{
	lockdep_assert_held(&session->call_lock);
	if (session->is_stuck || fargs_tracers_stop(&session->capture))
		fargs_probes_stick(session);
}

void fargs_probes_forget(struct fargs_session *session, unsigned long ip)
{
	lockdep_assert_held(&session->lock);
	fargs_tracers_forget(&session->capture, ip);
	session->nr_forgotten++;
}

void fargs_probes_refilter(struct fargs_session *session)
{
	lockdep_assert_held(&session->lock);
	if (!session->is_stuck && fargs_tracers_refilter(&session->capture))
		fargs_probes_stick(session);
}
