/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of all sessions, for module notifiers. */
#ifndef FARGS_KMOD_SESSION_LIST_H
#define FARGS_KMOD_SESSION_LIST_H

struct fargs_session;

/**
 * fargs_sessions_add() - add a new session to the list
 * @session: the session; its user must be set
 *
 * Context: Process context. May sleep.
 * Return: 0, or -EUSERS if the user has max_user_sessions already, and the current task lacks
 *	CAP_SYS_RESOURCE.
 */
int fargs_sessions_add(struct fargs_session *session);

/**
 * fargs_sessions_remove() - remove a session from the list
 * @session: the session
 *
 * Waits for notifiers that are using the session. See session/session.h for the locks that
 * notifiers may wait for.
 *
 * Context: Process context. May sleep.
 */
void fargs_sessions_remove(struct fargs_session *session);

/**
 * fargs_sessions_next() - get the next session of the list
 * @last: the previous session, whose reference is dropped; NULL: get the first session
 *
 * The returned session is referenced: it is not freed, and stays in the list, until the reference
 * is dropped. A session that is opened during the walk may be missed; it has no functions of any
 * module yet.
 *
 * Context: Process context. May sleep.
 * Return: The session, or NULL at the end of the list.
 */
struct fargs_session *fargs_sessions_next(struct fargs_session *last);

/* Do not leave this loop early: the reference to the current session would leak. */
#define fargs_for_each_session(session)						\
	for ((session) = fargs_sessions_next(NULL); (session);			\
	     (session) = fargs_sessions_next(session))

#endif
