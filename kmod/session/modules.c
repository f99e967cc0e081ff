// SPDX-License-Identifier: GPL-2.0-only
#include "session/modules.h"

#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "session/add_check.h"
#include "session/deferred_resolve.h"
#include "session/list.h"
#include "session/probes.h"
#include "session/run.h"
#include "session/session.h"

/*
 * Drops the functions of a module. Allocates no memory, and cannot fail: lookups no longer find the
 * functions, even if the filters cannot be changed. Callbacks that have already found a template
 * may still write their record; templates are not freed before the session.
 */
static void drop_module(struct fargs_session *session, const struct module *mod,
			bool is_init_only)
{
	u32 i, nr = 0;

	lockdep_assert_held(&session->lock);
	for (i = 0; i < session->nr_funcs; i++) {
		struct fargs_session_func *func = &session->funcs[i];

		if (func->is_dropped ||
		    !(within_module_init(func->ip, mod) ||
		      (!is_init_only && within_module_core(func->ip, mod))))
			continue;
		fargs_ret_forget(session, func);
		func->is_dropped = true;
		func->is_new = false;
		fargs_probes_forget(session, func->ip);
		nr++;
	}
	session->nr_dropped += nr;
	if (session->adding)
		fargs_add_forget(session->adding, mod, is_init_only);
	if (!nr || session->phase == FARGS_PHASE_STILL || session->is_stuck)
		return;
	/*
	 * In FARGS_PHASE_STARTING the module's sets of return probes are not registered yet:
	 * fargs_ret_leave() only frees them.
	 */
	fargs_ret_leave(session, mod, is_init_only);
	/*
	 * Remove the addresses from the filters, or functions that are loaded at the same addresses
	 * later would be traced. A session with nothing left to trace and no deferred layouts is
	 * stopped, but stays open.
	 */
	if (session->phase == FARGS_PHASE_LIVE)
		fargs_session_refilter(session);
}

/*
 * A notifier arms and disarms functions of a session only in FARGS_PHASE_LIVE, under session->lock.
 * START, STOP and close arm and disarm without session->lock, but in other phases: START enters
 * FARGS_PHASE_LIVE after arming, and STOP and close leave it before disarming, each under
 * session->lock. Tracepoints are armed and disarmed one at a time under session->lock, in every
 * phase. Once the GOING notifiers of a module have returned, in any phase, no hash and no return
 * probe has a function of the module, and the module's tracepoints have no probe.
 */
void fargs_sessions_drop_module(const struct module *mod, bool is_init_only)
{
	struct fargs_session *session;

	fargs_for_each_session(session) {
		mutex_lock(&session->lock);
		drop_module(session, mod, is_init_only);
		mutex_unlock(&session->lock);
		fargs_session_stop_if_idle(session);
	}
}

void fargs_sessions_resolve_module(const struct module *mod)
{
	struct fargs_session *session;

	fargs_for_each_session(session) {
		mutex_lock(&session->lock);
		fargs_deferred_resolve(session, mod);
		mutex_unlock(&session->lock);
	}
}

void fargs_sessions_take_tpoints(const struct module *mod)
{
	struct fargs_session *session;

	fargs_for_each_session(session) {
		mutex_lock(&session->lock);
		fargs_tpoints_take(session, mod);
		mutex_unlock(&session->lock);
	}
}

void fargs_sessions_drop_tpoints(const struct module *mod)
{
	struct fargs_session *session;

	fargs_for_each_session(session) {
		mutex_lock(&session->lock);
		if (fargs_tpoints_drop(session, mod) && session->phase == FARGS_PHASE_LIVE)
			session->must_stop = fargs_session_is_idle(session);
		mutex_unlock(&session->lock);
		fargs_session_stop_if_idle(session);
	}
}
