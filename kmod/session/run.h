/* SPDX-License-Identifier: GPL-2.0-only */
/* A session from START to STOP, and the lock that both hold. Process context. */
#ifndef FARGS_KMOD_SESSION_RUN_H
#define FARGS_KMOD_SESSION_RUN_H

#include <linux/types.h>

struct fargs_freeze;
struct fargs_refusal;
struct fargs_session;
struct fargs_start;

/**
 * fargs_session_lock() - take session->call_lock
 * @session: the session
 *
 * Context: Process context. May sleep.
 * Return: 0, or -EINTR if a fatal signal came first.
 */
int fargs_session_lock(struct fargs_session *session);

/**
 * fargs_session_unlock() - release session->call_lock
 * @session: the session
 *
 * Then stops the session if its last function has gone with a module while the lock was held.
 *
 * Context: Process context. May sleep. Expects session->call_lock held, and not session->lock.
 */
void fargs_session_unlock(struct fargs_session *session);

/**
 * fargs_session_start() - FARGS_IOC_START
 * @session: the session
 * @start: the call's argument
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. May sleep. Takes session->call_lock and session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_start(struct fargs_session *session, const struct fargs_start *start,
			struct fargs_refusal *refusal);

/**
 * fargs_session_stop() - FARGS_IOC_STOP
 * @session: the session
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. May sleep. Takes session->call_lock and session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_stop(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_session_freeze() - FARGS_IOC_FREEZE
 * @session: the session
 * @freeze: the call's argument
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. May sleep. Takes session->call_lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_freeze(struct fargs_session *session, const struct fargs_freeze *freeze,
			 struct fargs_refusal *refusal);

/**
 * fargs_session_halt() - stop a session if it is running
 * @session: the session
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 */
void fargs_session_halt(struct fargs_session *session);

/**
 * fargs_session_stop_if_idle() - stop a session that has nothing left to trace
 * @session: the session
 *
 * Unless somebody has session->call_lock, who then does when unlocking.
 *
 * Context: Process context. May sleep. No lock of the session is held.
 */
void fargs_session_stop_if_idle(struct fargs_session *session);

/**
 * fargs_session_is_idle() - has a running session nothing to do any more?
 * @session: the session
 *
 * TASK and SWITCH records that it was started for are about more than the functions that went.
 *
 * Context: Process context. Expects session->lock held.
 * Return: Whether it has nothing to do.
 */
bool fargs_session_is_idle(const struct fargs_session *session);

/**
 * fargs_session_refilter() - take out of the filters what has gone
 * @session: the session, which runs
 *
 * An empty filter would trace everything: a session with nothing left is to be stopped instead, by
 * fargs_session_stop_if_idle().
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_session_refilter(struct fargs_session *session);

#endif
