/* SPDX-License-Identifier: GPL-2.0-only */
/* Notifies sessions of modules that are loaded and unloaded. */
#ifndef FARGS_KMOD_MAIN_MODULES_H
#define FARGS_KMOD_MAIN_MODULES_H

/**
 * fargs_modules_init() - register the module notifiers
 *
 * The kernel reports modules with tracepoints that are already loaded as COMING.
 *
 * Context: Process context, at module init.
 * Return: 0 or -errno.
 */
int fargs_modules_init(void);

/**
 * fargs_modules_deinit() - unregister the module notifiers
 *
 * Waits for notifiers that are running. The kernel reports loaded modules with tracepoints as
 * GOING.
 *
 * Context: Process context, at module exit.
 */
void fargs_modules_deinit(void);

#endif
