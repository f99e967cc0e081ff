/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions for module notifiers: they update all sessions when a module is loaded or unloaded. */
#ifndef FARGS_KMOD_SESSION_MODULES_H
#define FARGS_KMOD_SESSION_MODULES_H

#include <linux/types.h>

struct module;

/**
 * fargs_sessions_resolve_module() - find and trace deferred functions of a module
 * @mod: the module, which is being loaded
 *
 * Context: Process context, from a module notifier. Takes session->lock of each session.
 */
void fargs_sessions_resolve_module(const struct module *mod);

/**
 * fargs_sessions_drop_module() - drop functions of a module from every session
 * @mod: the module
 * @is_init_only: only functions in its init memory
 *
 * Stops sessions that have nothing left to trace.
 *
 * Context: Process context, from a module notifier. Takes session->lock of each session.
 */
void fargs_sessions_drop_module(const struct module *mod, bool is_init_only);

/**
 * fargs_sessions_take_tpoints() - find and trace deferred tracepoints of a module
 * @mod: the module, which is being loaded
 *
 * Context: Process context, from a tracepoint module notifier. Takes session->lock of each session.
 */
void fargs_sessions_take_tpoints(const struct module *mod);

/**
 * fargs_sessions_drop_tpoints() - drop tracepoints of a module from every session
 * @mod: the module
 *
 * Stops sessions that have nothing left to trace.
 *
 * Context: Process context, from a tracepoint module notifier. Takes session->lock of each session.
 */
void fargs_sessions_drop_tpoints(const struct module *mod);

#endif
