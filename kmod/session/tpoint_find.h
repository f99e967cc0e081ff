/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All existing tracepoints: the kernel's own, and those of modules, which a notifier reports
 * (main/modules.c). The list of modules is shared by all sessions.
 */
#ifndef FARGS_KMOD_SESSION_TPOINT_FIND_H
#define FARGS_KMOD_SESSION_TPOINT_FIND_H

#include <linux/types.h>

struct module;
struct tracepoint;

/**
 * fargs_tpoint_find_add() - add a module with tracepoints to the list
 * @mod: the module, which is being loaded or is loaded
 *
 * Context: Process context. May sleep.
 * Return: False if there is no memory: its tracepoints will not be found.
 */
bool fargs_tpoint_find_add(const struct module *mod);

/**
 * fargs_tpoint_find_remove() - remove a module from the list
 * @mod: the module, which is being unloaded
 *
 * Context: Process context. May sleep.
 */
void fargs_tpoint_find_remove(const struct module *mod);

/**
 * fargs_tpoint_find_each() - call a callback for each tracepoint
 * @fn: the callback; its mod is NULL for tracepoints of the kernel
 * @arg: its first argument
 *
 * The tracepoints exist at least until session->lock is released, since the notifier of a module
 * that is unloaded waits for it (session/tpoint_find.c).
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoint_find_each(void (*fn)(void *arg, struct tracepoint *tp,
				       const struct module *mod), void *arg);

/**
 * fargs_tpoint_find_each_of() - call a callback for each tracepoint of a module
 * @mod: the module
 * @fn: the callback
 * @arg: its first argument
 *
 * Context: Process context. @mod is in its COMING notifier, or in the list.
 */
void fargs_tpoint_find_each_of(const struct module *mod,
			       void (*fn)(void *arg, struct tracepoint *tp,
					  const struct module *mod), void *arg);

#endif
