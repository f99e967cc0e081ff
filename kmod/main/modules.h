/* SPDX-License-Identifier: GPL-2.0-only */
/* Notifiers that update all sessions when a module is loaded or unloaded. */
#ifndef FARGS_KMOD_MAIN_MODULES_H
#define FARGS_KMOD_MAIN_MODULES_H

/**
 * fargs_modules_init() - register the module notifiers
 *
 * For each module with tracepoints that is already loaded, the kernel calls the new tracepoint
 * notifier with MODULE_STATE_COMING.
 *
 * Context: Process context, at module init.
 * Return: 0 or -errno.
 */
int fargs_modules_init(void);

/**
 * fargs_modules_deinit() - unregister the module notifiers
 *
 * Waits for notifiers that are running. For each loaded module with tracepoints, the kernel calls
 * the tracepoint notifier with MODULE_STATE_GOING.
 *
 * Context: Process context, at module exit.
 */
void fargs_modules_deinit(void);

#endif
