/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds existing tracepoints: those of the kernel itself, and those of the modules in a list, which
 * a notifier maintains (main/modules.c). All sessions share the list.
 */
#ifndef FARGS_KMOD_SESSION_TPOINT_FIND_H
#define FARGS_KMOD_SESSION_TPOINT_FIND_H

#include <linux/types.h>

struct module;
struct tracepoint;

/**
 * fargs_tpoint_find_add() - add a module with tracepoints to the list of modules
 * @mod: the module, which is being loaded or is loaded
 *
 * Context: Process context. May sleep.
 * Return: False if there is no memory; the module's tracepoints will not be found.
 */
bool fargs_tpoint_find_add(const struct module *mod);

/**
 * fargs_tpoint_find_remove() - remove a module from the list of modules
 * @mod: the module, which is being unloaded
 *
 * Context: Process context. May sleep.
 */
void fargs_tpoint_find_remove(const struct module *mod);

/**
 * fargs_tpoint_find_each() - call a callback for each tracepoint
 * @fn: the callback; mod is NULL for tracepoints of the kernel itself
 * @arg: first argument of the callback
 *
 * The tracepoints exist at least until session->lock is released, since the GOING notifier of a
 * module takes the lock (session/tpoint_find.c).
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoint_find_each(void (*fn)(void *arg, struct tracepoint *tp,
				       const struct module *mod), void *arg);

/**
 * fargs_tpoint_find_each_of() - call a callback for each tracepoint of a module
 * @mod: the module
 * @fn: the callback
 * @arg: first argument of the callback
 *
 * Context: Process context. @mod is being loaded (in its COMING notifier), or is in the list of
 *	modules.
 */
void fargs_tpoint_find_each_of(const struct module *mod,
			       void (*fn)(void *arg, struct tracepoint *tp,
					  const struct module *mod), void *arg);

#endif
