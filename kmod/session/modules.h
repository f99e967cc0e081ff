/* SPDX-License-Identifier: GPL-2.0-only */
/* What modules that come and go do to sessions. From notifiers; process context. */
#ifndef FARGS_KMOD_SESSION_MODULES_H
#define FARGS_KMOD_SESSION_MODULES_H

#include <linux/types.h>

struct module;

/**
 * fargs_sessions_resolve_module() - a module comes: find and trace deferred functions
 * @mod: the module
 *
 * Context: Process context, from a module's notifier. Takes session->lock of each session.
 */
void fargs_sessions_resolve_module(const struct module *mod);

/**
 * fargs_sessions_drop_module() - drop functions of a module from every session
 * @mod: the module
 * @is_init_only: only those in its init memory
 *
 * A session that has nothing left to trace stops.
 *
 * Context: Process context, from a module's notifier. Takes session->lock of each session.
 */
void fargs_sessions_drop_module(const struct module *mod, bool is_init_only);

/**
 * fargs_sessions_take_tpoints() - a module comes: find and trace deferred tracepoints
 * @mod: the module
 *
 * Context: Process context, from a module's notifier. Takes session->lock of each session.
 */
void fargs_sessions_take_tpoints(const struct module *mod);

/**
 * fargs_sessions_drop_tpoints() - drop tracepoints of a module from every session
 * @mod: the module
 *
 * A session that has nothing left to trace stops.
 *
 * Context: Process context, from a module's notifier. Takes session->lock of each session.
 */
void fargs_sessions_drop_tpoints(const struct module *mod);

#endif
