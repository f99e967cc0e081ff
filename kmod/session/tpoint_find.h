/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints that there are: the kernel's own, and those of modules, which a notifier
 * reports (main/modules.c). One list, not one for each session.
 */
#ifndef FARGS_KMOD_SESSION_TPOINT_FIND_H
#define FARGS_KMOD_SESSION_TPOINT_FIND_H

#include <linux/types.h>

struct module;
struct tracepoint;

/**
 * fargs_tpoint_find_add() - a module with tracepoints comes
 * @mod: the module
 *
 * Context: Process context. May sleep.
 * Return: False if there is no memory: it is as if it had none.
 */
bool fargs_tpoint_find_add(const struct module *mod);

/**
 * fargs_tpoint_find_remove() - a module with tracepoints goes
 * @mod: the module
 *
 * Context: Process context. May sleep.
 */
void fargs_tpoint_find_remove(const struct module *mod);

/**
 * fargs_tpoint_find_each() - call a function for each tracepoint
 * @fn: what is called; its mod is NULL for those of the kernel
 * @arg: its first argument
 *
 * Under session->lock what is found stays until that is released: a module that goes has to take
 * it first (session/session.h).
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_tpoint_find_each(void (*fn)(void *arg, struct tracepoint *tp,
				       const struct module *mod), void *arg);

/**
 * fargs_tpoint_find_each_of() - call a function for each tracepoint of a module
 * @mod: which is coming
 * @fn: what is called
 * @arg: its first argument
 *
 * Context: Process context, from the notifier of the module.
 */
void fargs_tpoint_find_each_of(const struct module *mod,
			       void (*fn)(void *arg, struct tracepoint *tp,
					  const struct module *mod), void *arg);

#endif
