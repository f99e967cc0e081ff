/* SPDX-License-Identifier: GPL-2.0-only */
/* Resolves deferred layouts when their module is loaded. */
#ifndef FARGS_KMOD_SESSION_DEFERRED_RESOLVE_H
#define FARGS_KMOD_SESSION_DEFERRED_RESOLVE_H

struct fargs_session;
struct module;

/**
 * fargs_deferred_resolve() - find and trace the deferred functions of a module
 * @session: the session
 * @mod: the module, which is being loaded; none of its code has run
 *
 * Context: Process context, from the COMING notifier of the module. Expects session->lock held.
 */
void fargs_deferred_resolve(struct fargs_session *session, const struct module *mod);

/**
 * fargs_deferred_catch_up() - arm functions found while START was arming
 * @session: the session, which is being started
 *
 * Functions that cannot be armed are dropped, and the status of their arrivals is set to the error.
 *
 * Context: Process context. Expects session->call_lock and session->lock held.
 * Return: 0, or -EIO if ftrace broke.
 */
int fargs_deferred_catch_up(struct fargs_session *session);

#endif
