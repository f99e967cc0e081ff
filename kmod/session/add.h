/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_SESSION_ADD_H
#define FARGS_KMOD_SESSION_ADD_H

struct fargs_add;
struct fargs_refusal;
struct fargs_session;

/**
 * fargs_session_add() - add a batch of layouts (FARGS_IOC_ADD)
 * @session: the session
 * @add: argument of the ioctl; nr_added is set
 * @refusal: filled in if the call is refused
 *
 * Once all layouts have been verified, the status and ip of each are written back to user memory,
 * even if the call fails.
 *
 * Context: Process context. May sleep. Takes session->call_lock and session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_session_add(struct fargs_session *session, struct fargs_add *add,
		      struct fargs_refusal *refusal);

#endif
