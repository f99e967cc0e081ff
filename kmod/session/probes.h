/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ftrace probes of a session: one ops for each path, each with its own functions. Process
 * context. filter, arm and disarm run under session->call_lock; they take session->lock where they
 * need it, but not while ftrace works. extend, forget and refilter run under session->lock.
 */
#ifndef FARGS_KMOD_SESSION_PROBES_H
#define FARGS_KMOD_SESSION_PROBES_H

#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_refusal;
struct fargs_session;

/**
 * fargs_probes_init() - initialize the probes of a new session
 * @session: the session
 *
 * Context: Process context.
 */
void fargs_probes_init(struct fargs_session *session);

/**
 * fargs_probes_deinit() - free the filters of the probes
 * @session: the session, which is not stuck
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
 * @nr: how many
 *
 * After this START need not set the filter. Where the filter is incomplete START sets it, and
 * reports why it cannot: so no error is returned here.
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
 * On failure nothing is registered. If ftrace breaks meanwhile the session is stuck, and ftrace
 * may call its callbacks until reboot.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_probes_arm(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_probes_disarm() - unregister the probes
 * @session: the session
 *
 * When this has returned no callback runs any more, unless the session is stuck.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_probes_disarm(struct fargs_session *session);

/**
 * fargs_probes_stick() - keep the session and the module until reboot
 * @session: the session
 *
 * For when ftrace has broken down, and may call the session's callbacks until reboot.
 *
 * Context: Process context. Expects session->call_lock or session->lock held.
 */
void fargs_probes_stick(struct fargs_session *session);

/**
 * fargs_probes_extend() - trace the new functions (is_new) of a session
 * @session: the session, which is armed
 *
 * On failure some of them may be in a hash or a filter already: the caller drops them all, and
 * calls fargs_probes_forget() for each. If ftrace breaks meanwhile the session is stuck.
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
 * Works in place, without allocating. The filters keep the function until
 * fargs_probes_refilter().
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
