/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of a session, which are sorted by address. */
#ifndef FARGS_KMOD_SESSION_FUNCS_H
#define FARGS_KMOD_SESSION_FUNCS_H

struct fargs_session;
struct fargs_session_func;

/**
 * fargs_funcs_find() - find a function of a session
 * @session: the session
 * @ip: fentry address of the function
 *
 * Context: Process context. Expects session->lock held.
 * Return: The function, which is not dropped; NULL if there is none.
 */
struct fargs_session_func *fargs_funcs_find(const struct fargs_session *session, unsigned long ip);

#endif
