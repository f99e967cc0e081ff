/* SPDX-License-Identifier: GPL-2.0-only */
/* /dev/fargs */
#ifndef FARGS_KMOD_MAIN_DEV_H
#define FARGS_KMOD_MAIN_DEV_H

/**
 * fargs_dev_init() - create /dev/fargs
 *
 * Context: Process context, at module init.
 * Return: 0 or -errno.
 */
int fargs_dev_init(void);

/**
 * fargs_dev_deinit() - remove /dev/fargs
 *
 * Context: Process context, at module exit.
 */
void fargs_dev_deinit(void);

#endif
