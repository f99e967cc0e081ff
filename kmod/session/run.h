/* SPDX-License-Identifier: GPL-2.0-only */
/* START, STOP and FREEZE of a session, and its call_lock. Process context. */
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
 * Return: 0, or -EINTR if a fatal signal interrupted the wait.
 */
int fargs_session_lock(struct fargs_session *session);

/**
 * fargs_session_unlock() - release session->call_lock
 * @session: the session
 *
 * After releasing the lock, stops the session if a notifier has dropped the session's last function
 * while the lock was held.
 *
 * Context: Process context. May sleep. Expects session->call_lock held, but not session->lock.
 */
void fargs_session_unlock(struct fargs_session *session);

/**
 * fargs_session_start() - start tracing (FARGS_IOC_START)
 * @session: the session
 * @start: argument of the ioctl
 * @refusal: filled in if the call is refused
 *
 * Context: Process context. May sleep. Takes session->call_lock and session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_start(struct fargs_session *session, const struct fargs_start *start,
			struct fargs_refusal *refusal);

/**
 * fargs_session_stop() - stop tracing (FARGS_IOC_STOP)
 * @session: the session
 * @refusal: filled in if the call is refused
 *
 * Context: Process context. May sleep. Takes session->call_lock and session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_stop(struct fargs_session *session, struct fargs_refusal *refusal);

/**
 * fargs_session_freeze() - freeze or thaw the ring buffers (FARGS_IOC_FREEZE)
 * @session: the session
 * @freeze: argument of the ioctl
 * @refusal: filled in if the call is refused
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
 * If session->call_lock is held, its holder stops the session when releasing it.
 *
 * Context: Process context. May sleep. Expects none of the session's locks held.
 */
void fargs_session_stop_if_idle(struct fargs_session *session);

/**
 * fargs_session_is_idle() - check whether a running session has nothing left to trace
 * @session: the session
 *
 * A session started with FARGS_START_SWITCHES or FARGS_START_NO_FUNCS is never idle, since it
 * records more than calls.
 *
 * Context: Process context. Expects session->lock held.
 * Return: True if the session has nothing left to trace.
 */
bool fargs_session_is_idle(const struct fargs_session *session);

/**
 * fargs_session_refilter() - remove dropped functions from the filters
 * @session: the session, which is armed
 *
 * Since an empty filter would trace every function, the filters of an idle session are not changed.
 * Instead session->must_stop is set, and the caller then stops the session by
 * fargs_session_stop_if_idle().
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_session_refilter(struct fargs_session *session);

#endif
