/* SPDX-License-Identifier: GPL-2.0-only */
/* What deferred layouts are for: a module comes. */
#ifndef FARGS_DEFERRED_RESOLVE_H
#define FARGS_DEFERRED_RESOLVE_H

struct fargs_session;
struct module;

/*
 * @mod comes, and nothing of it has run: finds its functions, and traces them if the
 * session is running. Under session->lock; process context.
 */
void fargs_deferred_resolve(struct fargs_session *session, const struct module *mod);
/*
 * START has armed everything but what was found meanwhile: arms that, too. What cannot be is
 * dropped, and its arrival says so. Under session->lock. 0, or -EIO: ftrace broke.
 */
int fargs_deferred_catch_up(struct fargs_session *session);

#endif
