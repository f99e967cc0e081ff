/* SPDX-License-Identifier: GPL-2.0-only */
/* The sessions that there are, for notifiers that are about all of them. */
#ifndef FARGS_KMOD_SESSION_LIST_H
#define FARGS_KMOD_SESSION_LIST_H

struct fargs_session;

/**
 * fargs_sessions_add() - put a new session into the list
 * @session: the session
 *
 * Context: Process context. May sleep.
 */
void fargs_sessions_add(struct fargs_session *session);

/**
 * fargs_sessions_remove() - take a session out of the list
 * @session: the session
 *
 * Waits for notifiers that have found it; what they may wait for: session/session.h.
 *
 * Context: Process context. May sleep.
 */
void fargs_sessions_remove(struct fargs_session *session);

/**
 * fargs_sessions_next() - go to the next session of the list
 * @last: the one before, which is put; NULL: begin
 *
 * The session that is returned stays, in the list, too, until it is put. One that is opened
 * meanwhile has nothing of any module yet, and need not be found.
 *
 * Context: Process context. May sleep.
 * Return: The session, or NULL at the end of the list.
 */
struct fargs_session *fargs_sessions_next(struct fargs_session *last);

/* To be gone through to its end. */
#define fargs_for_each_session(session)						\
	for ((session) = fargs_sessions_next(NULL); (session);			\
	     (session) = fargs_sessions_next(session))

#endif
