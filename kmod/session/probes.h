/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes of a session in ftrace: one ops for each path, each with its own
 * functions. Process context. filter, arm and disarm: under session->call_lock; they take
 * session->lock where they need it, and do not hold it while ftrace works. The others: under
 * session->lock.
 */
#ifndef FARGS_KMOD_SESSION_PROBES_H
#define FARGS_KMOD_SESSION_PROBES_H

#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_refusal;
struct fargs_session;

/**
 * fargs_probes_init() - prepare the probes of a new session
 * @session: the session
 *
 * Context: Process context.
 */
void fargs_probes_init(struct fargs_session *session);

/**
 * fargs_probes_deinit() - free their filters
 * @session: the session, which is not stuck
 *
 * After the last disarm.
 *
 * Context: Process context. May sleep.
 */
void fargs_probes_deinit(struct fargs_session *session);

/**
 * fargs_probes_filter() - put functions that the session has just got into ftrace's filter
 * @session: the session, which does not run
 * @path: their path
 * @ips: their fentry addresses
 * @nr: how many
 *
 * So START has only to register. It sets the filter itself where that is not complete, and says
 * why it cannot: so there is no error here.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_probes_filter(struct fargs_session *session, enum fargs_path path, unsigned long *ips,
			 u32 nr);

/**
 * fargs_probes_arm() - make the hashes, and register every probe that has functions
 * @session: the session
 * @refusal: where the reason of a refusal is noted
 *
 * If it fails nothing is registered; if ftrace broke on the way the session is stuck, and may be
 * called back for ever.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_probes_arm(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_probes_disarm() - unregister the probes
 * @session: the session
 *
 * When it has returned, and the session is not stuck, no callback runs any more.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_probes_disarm(struct fargs_session *session);

/**
 * fargs_probes_stick() - keep the session, and so the module, for ever
 * @session: the session
 *
 * ftrace may call it for ever.
 *
 * Context: Process context. Expects session->call_lock or session->lock held.
 */
void fargs_probes_stick(struct fargs_session *session);

/**
 * fargs_probes_extend() - trace functions that are new to a running session (is_new)
 * @session: the session
 *
 * If it fails none of them are traced, but they may be in a hash and have to be forgotten; if
 * ftrace broke on the way the session is stuck.
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno.
 */
int fargs_probes_extend(struct fargs_session *session);

/**
 * fargs_probes_forget() - the session has dropped a function
 * @session: the session
 * @ip: fentry address of the function
 *
 * Lookups find it no more. In place, without allocating.
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_probes_forget(struct fargs_session *session, unsigned long ip);

/**
 * fargs_probes_refilter() - take what the session has dropped out of ftrace's filters
 * @session: the session
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_probes_refilter(struct fargs_session *session);

#endif
