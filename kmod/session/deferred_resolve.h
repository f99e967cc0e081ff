/* SPDX-License-Identifier: GPL-2.0-only */
/* What deferred layouts are for: a module comes. */
#ifndef FARGS_KMOD_SESSION_DEFERRED_RESOLVE_H
#define FARGS_KMOD_SESSION_DEFERRED_RESOLVE_H

struct fargs_session;
struct module;

/**
 * fargs_deferred_resolve() - a module comes: find and trace its functions
 * @session: the session
 * @mod: of which nothing has run
 *
 * Context: Process context, from the COMING notifier of the module. Expects session->lock held.
 */
void fargs_deferred_resolve(struct fargs_session *session, const struct module *mod);

/**
 * fargs_deferred_catch_up() - arm what was found while START was arming
 * @session: the session
 *
 * What cannot be armed is dropped, and its arrival says so.
 *
 * Context: Process context. Expects session->call_lock and session->lock held.
 * Return: 0, or -EIO if ftrace broke.
 */
int fargs_deferred_catch_up(struct fargs_session *session);

#endif
