/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of a session that ftrace callbacks record: one hash for each path that uses ftrace.
 * session/tracers.c calls ftrace, for all sessions. fargs_probes_filter(), _arm() and _disarm()
 * expect session->call_lock held, and do not hold session->lock while they call ftrace. _extend(),
 * _forget() and _refilter() expect session->lock held.
 */
#ifndef FARGS_KMOD_SESSION_PROBES_H
#define FARGS_KMOD_SESSION_PROBES_H

#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_refusal;
struct fargs_session;

/**
 * fargs_probes_deinit() - free the filters of the probes
 * @session: the session; session->is_stuck is not set
 *
 * To be called after the last fargs_probes_disarm().
 *
 * Context: Process context. May sleep.
 */
void fargs_probes_deinit(struct fargs_session *session);

/**
 * fargs_probes_filter() - add new functions of the session to ftrace's filter
 * @session: the session, which is not running
 * @path: path of the functions
 * @ips: fentry addresses of the functions
 * @nr: number of functions
 *
 * Saves START from setting the filter. Returns no error: if the filter is incomplete, START sets
 * it, and reports any error.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_probes_filter(struct fargs_session *session, enum fargs_path path, unsigned long *ips,
			 u32 nr);

/**
 * fargs_probes_arm() - create the hashes and register all probes that have functions
 * @session: the session
 * @refusal: filled in if the call is refused
 *
 * On failure no probe is registered, unless ftrace breaks: then session->is_stuck is set, and
 * ftrace may call the session's callbacks until reboot.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_probes_arm(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_probes_disarm() - unregister the probes
 * @session: the session
 *
 * After this has returned, no callback of the probes runs, unless session->is_stuck is set.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_probes_disarm(struct fargs_session *session);

/**
 * fargs_probes_stick() - prevent the freeing of the session and of the module
 * @session: the session
 *
 * To be called if ftrace has broken, and may call the session's callbacks until reboot.
 *
 * Context: Process context. Expects session->call_lock or session->lock held.
 */
void fargs_probes_stick(struct fargs_session *session);

/**
 * fargs_probes_extend() - trace the new functions (is_new) of a session
 * @session: the session, which is armed
 *
 * On failure some of these functions may already be in a hash or a filter: the caller drops all of
 * them, and calls fargs_probes_forget() for each. If ftrace breaks, session->is_stuck is set.
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno.
 */
int fargs_probes_extend(struct fargs_session *session);

/**
 * fargs_probes_forget() - make lookups of a dropped function fail
 * @session: the session
 * @ip: fentry address of the function
 *
 * Allocates no memory. The function stays in ftrace's filters until fargs_probes_refilter() is
 * called.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_probes_forget(struct fargs_session *session, unsigned long ip);

/**
 * fargs_probes_refilter() - remove dropped functions from ftrace's filters
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_probes_refilter(struct fargs_session *session);

#endif
