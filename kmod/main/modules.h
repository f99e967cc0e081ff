/* SPDX-License-Identifier: GPL-2.0-only */
/* What sessions have to know of modules that come and go. */
#ifndef FARGS_KMOD_MAIN_MODULES_H
#define FARGS_KMOD_MAIN_MODULES_H

/**
 * fargs_modules_init() - hear of modules that come and go
 *
 * Modules with tracepoints that are there already are reported as coming.
 *
 * Context: Process context, at module init.
 * Return: 0 or -errno.
 */
int fargs_modules_init(void);

/**
 * fargs_modules_deinit() - hear of them no more
 *
 * Waits for each notifier where it runs; modules with tracepoints are reported as going.
 *
 * Context: Process context, at module exit.
 */
void fargs_modules_deinit(void);

#endif
