/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_SESSION_ADD_H
#define FARGS_KMOD_SESSION_ADD_H

struct fargs_add;
struct fargs_refusal;
struct fargs_session;

/**
 * fargs_session_add() - FARGS_IOC_ADD
 * @session: the session
 * @add: the call's argument; nr_added is set
 * @refusal: where the reason of a refusal is noted
 *
 * Each layout's status and ip are written back, also after a failure.
 *
 * Context: Process context. May sleep. Takes session->call_lock and session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_add(struct fargs_session *session, struct fargs_add *add,
		      struct fargs_refusal *refusal);

#endif
